import { describe, expect, test } from "vitest";
import { BadClock, BadOption, Closed } from "../../errors.js";
import { createSluice } from "../../limiter/sluice.js";
import { manualClock } from "../../testing/manual-clock.js";
import { type MemoryStore, memoryStore } from "./memory-store.js";

function limited(rule: string, maxKeys: number) {
  const clock = manualClock(1_700_000_000_000_000);
  const store: MemoryStore = memoryStore({ clock, maxKeys });
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

describe("the clock", () => {
  test("left out, the system's is used", async () => {
    const limiter = createSluice().limit("1/d fixed-window");
    const { resetAfterMs } = await limiter.consume();
    const untilMidnight = 86_400_000 - (Date.now() % 86_400_000);
    expect(Math.abs(resetAfterMs - untilMidnight)).toBeLessThan(60_000);
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
