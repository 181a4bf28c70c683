import { describe, expect, test, vi } from "vitest";
import { BadClock, BadOption, Closed } from "../../errors.js";
import { createSluice } from "../../limiter/sluice.js";
import { manualClock } from "../../testing/manual-clock.js";
import { defaultMaxBytes } from "./max-bytes.js";
import { type MemoryStore, memoryStore } from "./memory-store.js";

function limited(rule: string, maxKeys: number, maxBytes?: number) {
  const clock = manualClock(1_700_000_000_000_000);
  const store: MemoryStore = memoryStore({ clock, maxKeys, maxBytes });
  return { clock, store, limiter: createSluice({ store }).limit(rule) };
}

async function flood(
  limiter: ReturnType<typeof limited>["limiter"],
  count: number,
  name = "other",
): Promise<void> {
  for (let index = 0; index < count; index += 1) await limiter.consume({ user: `${name}-${index}` });
}

describe("maxKeys", () => {
  test("bounds the keys that are held", async () => {
    const { store, limiter } = limited("user:10/h", 100);
    await flood(limiter, 1_000);
    expect(store.size).toBe(100);
  });

  test.each([
    "user:1/h",
    "user:5/h",
    "user:5/h gcra",
    "user:5/h:1m",
    "user:5/h ar1",
    "user:5/h sliding-counter",
  ])("nobody escapes %s by flooding with ten times as many other keys", async (rule) => {
    const { store, limiter } = limited(rule, 500);
    while ((await limiter.consume({ user: "attacker" })).allowed);
    await flood(limiter, 5_000);
    expect(store.size).toBe(500);
    expect((await limiter.consume({ user: "attacker" })).allowed).toBe(false);
  });

  test.each([1, 2, 3, 7, 64, 99, 501, 1_001])(
    "nobody escapes with room for %i keys either",
    async (maxKeys) => {
      const { limiter } = limited("user:1/h", maxKeys + 1);
      for (const _ of "12") await limiter.consume({ user: "attacker" });
      await flood(limiter, 10 * maxKeys);
      expect((await limiter.consume({ user: "attacker" })).allowed).toBe(false);
    },
  );

  test("where all are being refused, the one goes that was refused longest ago", async () => {
    const { limiter } = limited("user:1/h", 40);
    for (let user = 0; user < 40; user += 1) for (const _ of "12") await limiter.consume({ user });
    await limiter.consume({ user: 0 });
    await limiter.consume({ user: "newcomer" });
    expect((await limiter.peek({ user: 1 })).allowed).toBe(true);
    for (const user of [0, 2, 3, 16, 39]) expect((await limiter.peek({ user })).allowed).toBe(false);
  });

  test.each(["user:5/m", "user:5/m gcra", "user:5/m fixed-window", "user:5/m:1s"])(
    "full of keys that %s refuses, it limits new ones, as long as no more than an eighth come in between",
    async (rule) => {
      const { store, limiter } = limited(rule, 1_600);
      for (let user = 0; user < 1_600; user += 1) while ((await limiter.consume({ user })).allowed);
      const admitted = new Array<number>(200).fill(0);
      for (let round = 0; round < 20; round += 1) {
        for (let index = 0; index < 200; index += 1) {
          if ((await limiter.consume({ user: `new-${index}` })).allowed) admitted[index]! += 1;
        }
      }
      expect(admitted).toEqual(new Array(200).fill(5));
      expect(store.size).toBe(1_600);
      let refused = 0;
      for (let user = 0; user < 1_600; user += 1) if (!(await limiter.peek({ user })).allowed) refused += 1;
      expect(refused).toBe(1_400);
    },
  );

  test("one that is new is limited also among keys that are only half used", async () => {
    const { limiter } = limited("user:8/h", 800);
    for (let user = 0; user < 800; user += 1) await limiter.consume({ user }, { cost: 4 });
    let admitted = 0;
    for (let time = 0; time < 20; time += 1) {
      if ((await limiter.consume({ user: "newcomer" })).allowed) admitted += 1;
      await flood(limiter, 4, `other-${time}`);
    }
    expect(admitted).toBe(8);
  });

  test("use that was built up in small costs counts as much", async () => {
    const { limiter } = limited("user:8/h", 500);
    for (const _ of "1234") await limiter.consume({ user: "half" });
    await flood(limiter, 5_000);
    expect((await limiter.peek({ user: "half" })).remaining).toBe(4);
  });

  test("a key that is used up but was never refused outlives keys that are hardly used", async () => {
    const { limiter } = limited("user:5/h", 500);
    await limiter.consume({ user: "attacker" }, { cost: 5 });
    await flood(limiter, 5_000);
    expect((await limiter.peek({ user: "attacker" })).remaining).toBe(0);
  });

  test("more use outlives less use", async () => {
    const { limiter } = limited("user:8/h", 500);
    await limiter.consume({ user: "half" }, { cost: 4 });
    await flood(limiter, 5_000);
    expect((await limiter.peek({ user: "half" })).remaining).toBe(4);
  });

  test("the dead go first, however much they were used", async () => {
    const { clock, store, limiter } = limited("user:2/m or ip:100/h", 2_000);
    for (let index = 0; index < 1_000; index += 1) {
      await limiter.consume({ user: `dead-${index}`, ip: null }, { cost: 2 });
    }
    clock.advance(60_000);
    for (let index = 0; index < 1_990; index += 1)
      await limiter.consume({ user: null, ip: `alive-${index}` });
    for (let index = 0; index < 1_990; index += 1) {
      expect((await limiter.peek({ user: null, ip: `alive-${index}` })).remaining).toBe(99);
    }
    expect(store.size).toBeLessThanOrEqual(2_000);
  });

  test("one that is dead goes before all that live, also where nothing is swept yet", async () => {
    const { clock, limiter } = limited("user:9/s or ip:9/h", 3);
    await limiter.consume({ user: null, ip: "alive-1" });
    await limiter.consume({ user: "dead", ip: null }, { cost: 9 });
    await limiter.consume({ user: null, ip: "alive-2" });
    clock.advance(1_000);
    await limiter.consume({ user: null, ip: "alive-3" });
    for (const ip of ["alive-1", "alive-2", "alive-3"]) {
      expect((await limiter.peek({ user: null, ip })).remaining).toBe(8);
    }
  });

  test("a refund that brings a death forward is noticed", async () => {
    const { clock, limiter } = limited("user:9/90s gcra or ip:9/h", 2);
    await limiter.consume({ user: "refunded", ip: null }, { cost: 9 });
    await limiter.refund({ user: "refunded", ip: null }, { cost: 8 });
    await limiter.consume({ user: null, ip: "alive" });
    clock.advance(10_000);
    await limiter.consume({ user: null, ip: "new" });
    expect((await limiter.peek({ user: null, ip: "alive" })).remaining).toBe(8);
  });

  test("keys from a clock that ran ahead die like others after it was set right", async () => {
    const { clock, store, limiter } = limited("user:5/s", 2_000);
    clock.advance(365 * 86_400_000);
    for (let user = 0; user < 2_000; user += 1) await limiter.consume({ user }, { cost: 5 });
    clock.advance(-365 * 86_400_000);
    await limiter.consume({ user: "ada" }, { cost: 5 });
    clock.advance(60_000);
    await flood(limiter, 1_900);
    expect(store.size).toBeLessThanOrEqual(2_000);
    await limiter.consume({ user: "bob" }, { cost: 5 });
    await flood(limiter, 5, "more");
    expect((await limiter.consume({ user: "bob" })).allowed).toBe(false);
  });

  test("who has recovered goes before who is still refused", async () => {
    const { clock, limiter } = limited("user:1/10s or ip:1/h", 8);
    for (let index = 0; index < 4; index += 1) {
      for (const _ of "12") await limiter.consume({ user: null, ip: `long-${index}` });
    }
    for (let index = 0; index < 4; index += 1) {
      for (const _ of "12") await limiter.consume({ user: `short-${index}`, ip: null });
    }
    clock.advance(20_000);
    for (let index = 0; index < 4; index += 1) {
      for (const _ of "12") await limiter.consume({ user: `new-${index}`, ip: null });
    }
    for (let index = 0; index < 4; index += 1) {
      expect((await limiter.peek({ user: null, ip: `long-${index}` })).allowed).toBe(false);
    }
  });

  test("a key that a plan pushes out is charged as new, not in the place of another", async () => {
    const { limiter } = limited("user:8/h or ip:4/h or apikey:4/h", 2);
    await limiter.consume({ user: "old", ip: null, apikey: null });
    const decision = await limiter.consume({ user: "old", ip: "x", apikey: "k" });
    expect(decision.limits.map((status) => status.remaining)).toEqual([6, 3, 3]);
    expect((await limiter.peek({ user: null, ip: null, apikey: "k" })).remaining).toBe(3);
  });

  test("a plan with more checks than keys is still decided as a whole", async () => {
    const { store, limiter } = limited("user:1/h or user:2/d or user:3/7d", 1);
    expect((await limiter.consume({ user: "a" })).allowed).toBe(true);
    expect(store.size).toBe(1);
  });

  test("memory follows what is alive: 200,000 short-lived keys leave few", async () => {
    const { clock, store, limiter } = limited("user:10/s gcra", 1_000_000);
    for (let index = 0; index < 200_000; index += 1) {
      clock.advance(1);
      await limiter.consume({ user: `visitor-${index}` });
    }
    expect(store.size).toBeLessThan(12_000);
  });

  test.each([0, -1, 1.5, 20_000_000, "100", Number.NaN])("%s is refused", (maxKeys) => {
    expect(() => memoryStore({ maxKeys: maxKeys as number })).toThrow(BadOption);
  });
});

describe("maxBytes", () => {
  /** As the reference says: of a log with room for four units, besides its name, and of a counter. */
  const KEY_BYTES = 330 + 64 + 4 * 8;
  const COUNTER_BYTES = 1_000;

  test("bounds the keys that are held by what they take", async () => {
    const [short, long] = [limited("user:10/h", 10_000, 400_000), limited("user:10/h", 10_000, 400_000)];
    await flood(short.limiter, 5_000);
    await flood(long.limiter, 5_000, "n".repeat(180));
    expect(short.store.size).toBe(Math.floor((400_000 - COUNTER_BYTES) / (KEY_BYTES + "other-1234".length)));
    expect(long.store.size).toBe(Math.floor((400_000 - COUNTER_BYTES) / (KEY_BYTES + 180 + "-1234".length)));
  });

  test("counts a log as it grows", async () => {
    const { store, limiter } = limited("user:10000/h", 10_000, 400_000);
    await flood(limiter, 500);
    expect(store.size).toBe(500);
    for (let user = 0; user < 20; user += 1) {
      for (let time = 0; time < 8; time += 1) await limiter.consume({ user }, { cost: 256 });
    }
    expect(store.size).toBeGreaterThanOrEqual(20);
    expect(store.size).toBeLessThan((400_000 - 20 * 8 * 8 * 256) / KEY_BYTES + 20);
    for (let user = 0; user < 20; user += 1) {
      expect((await limiter.peek({ user })).remaining).toBe(10_000 - 8 * 256);
    }
  });

  test("one that takes more than all may is limited all the same, alone", async () => {
    const { store, limiter } = limited("user:1000/h", 100, 4_000);
    await flood(limiter, 5);
    let admitted = 0;
    for (let time = 0; time < 1_100; time += 1)
      if ((await limiter.consume({ user: "large" })).allowed) admitted += 1;
    expect([admitted, store.size]).toEqual([1_000, 1]);
  });

  test("who is being refused outlives others that grow", async () => {
    const { limiter } = limited("user:100/h", 10_000, 100_000);
    while ((await limiter.consume({ user: "attacker" }, { cost: 10 })).allowed);
    for (let user = 0; user < 1_000; user += 1) await limiter.consume({ user }, { cost: 40 });
    expect((await limiter.consume({ user: "attacker" })).allowed).toBe(false);
  });

  test("what is gone is not counted: rules and keys that come and go leave room", async () => {
    const { store, limiter } = limited("user:5/h", 10_000, 100_000);
    const changing = createSluice({ store }).limit(({ plan }) => `user:${plan}/h`);
    for (let plan = 1; plan <= 1_000; plan += 1) {
      await changing.consume({ user: "a", plan });
      await changing.reset({ user: "a", plan });
    }
    expect(store.size).toBe(0);
    await flood(limiter, 1_000);
    expect(store.size).toBe(Math.floor((100_000 - COUNTER_BYTES) / (KEY_BYTES + "other-123".length)));
  });

  test("left out, it is a quarter of the heap, or 64 MB where nobody knows", () => {
    const heap = vi.spyOn(process, "getBuiltinModule");
    try {
      heap.mockReturnValue({ getHeapStatistics: () => ({ heap_size_limit: 1_000_000 }) } as never);
      expect(defaultMaxBytes()).toBe(250_000);
      for (const answer of [undefined, {}, { getHeapStatistics: () => ({ heap_size_limit: 0 }) }]) {
        heap.mockReturnValue(answer as never);
        expect(defaultMaxBytes()).toBe(64 * 1024 * 1024);
      }
      heap.mockImplementation(() => {
        throw new Error("not here");
      });
      expect(defaultMaxBytes()).toBe(64 * 1024 * 1024);
    } finally {
      heap.mockRestore();
    }
    expect(defaultMaxBytes()).toBeGreaterThan(16 * 1024 * 1024);
  });

  test.each([0, -1, 1.5, "100", Number.NaN, Number.POSITIVE_INFINITY])("%s is refused", (maxBytes) => {
    expect(() => memoryStore({ maxBytes: maxBytes as number })).toThrow(BadOption);
  });
});

describe("the clock", () => {
  test("left out, the system's is used", async () => {
    const limiter = createSluice().limit("1/d fixed-window");
    const before = Date.now();
    const { resetAfterMs } = await limiter.consume();
    const midnight = Math.floor((Date.now() + resetAfterMs) / 86_400_000) * 86_400_000;
    expect(midnight).toBeGreaterThanOrEqual(before + resetAfterMs);
  });

  test.each([1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "now", undefined])(
    "that answers %s is an error",
    async (now) => {
      const store = memoryStore({ clock: () => now as number });
      await expect(createSluice({ store }).limit("1/s").consume()).rejects.toThrow(BadClock);
    },
  );

  test("unknown options are refused", () => {
    expect(() => memoryStore({ maxkeys: 5 } as never)).toThrow(BadOption);
  });

  test("must be a function", () => {
    expect(() => memoryStore({ clock: 5 as unknown as () => number })).toThrow(BadOption);
  });
});

test("after close every call fails clearly, and closing twice does no harm", async () => {
  const store = memoryStore();
  const limiter = createSluice({ store }).limit("1/s");
  const charged = await limiter.consume();
  store.close();
  store.close();
  for (const call of ["consume", "peek", "reset"] as const) {
    await expect(limiter[call]()).rejects.toThrow(Closed);
  }
  await expect(limiter.refund(charged)).rejects.toThrow(Closed);
});

test("a reset and a refund to nothing free the key", async () => {
  const { store, limiter } = limited("user:5/h", 10);
  await limiter.consume({ user: "a" });
  await limiter.consume({ user: "b" });
  await limiter.reset({ user: "a" });
  await limiter.refund({ user: "b" });
  expect(store.size).toBe(0);
});

test("rules that come and go leave nothing behind", async () => {
  const { store, limiter } = limited("user:5/h", 10);
  const sluice = createSluice({ store });
  const changing = sluice.limit(({ plan }) => `user:${plan}/h`);
  for (let plan = 1; plan <= 3_000; plan += 1) await changing.consume({ user: "a", plan });
  expect(store.size).toBe(10);
  expect((await limiter.consume({ user: "a" })).allowed).toBe(true);
});
