import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BadOption } from "../errors.js";
import { memoryStore } from "../store/memory/memory-store.js";
import { createSluice } from "./sluice.js";

/** With faked timers, the system clock and the timers move together. */
beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Notes at which millisecond each promise settled, and how. */
function diary() {
  const start = Date.now();
  const entries: (readonly [name: string, afterMs: number, outcome: unknown])[] = [];
  return {
    entries,
    note(name: string, promise: Promise<{ allowed: boolean }>) {
      promise.then(
        ({ allowed }) => entries.push([name, Date.now() - start, allowed]),
        (error: unknown) => entries.push([name, Date.now() - start, error]),
      );
    },
  };
}

describe("wait", () => {
  test("is admitted at once where there is room", async () => {
    const { entries, note } = diary();
    note("a", createSluice().limit("1/s").wait());
    await vi.advanceTimersByTimeAsync(0);
    expect(entries).toEqual([["a", 0, true]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("sleeps exactly until the limit can pass, first come first served", async () => {
    const limiter = createSluice().limit("user:2/s");
    const { entries, note } = diary();
    for (const name of ["a", "b", "c", "d", "e"]) note(name, limiter.wait({ user: "u" }));
    note("other user", limiter.wait({ user: "v" }));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(entries.filter(([name]) => name !== "other user")).toEqual([
      ["a", 0, true],
      ["b", 0, true],
      ["c", 1_000, true],
      ["d", 1_000, true],
      ["e", 2_000, true],
    ]);
    expect(entries).toContainEqual(["other user", 0, true]);
  });

  test("a large cost at the head is not overtaken", async () => {
    const limiter = createSluice().limit("2/s gcra");
    const { entries, note } = diary();
    await limiter.consume({}, { cost: 2 });
    note("large", limiter.wait({}, { cost: 2 }));
    note("small", limiter.wait());
    await vi.advanceTimersByTimeAsync(3_000);
    expect(entries).toEqual([
      ["large", 1_000, true],
      ["small", 1_500, true],
    ]);
  });

  test("asks only when it may pass, and tells of the last answer only", async () => {
    const onDecision = vi.fn();
    const store = memoryStore();
    const decide = vi.spyOn(store, "decide");
    const limiter = createSluice({ store, onDecision }).limit("1/s");
    const { note, entries } = diary();
    for (const name of ["a", "b", "c"]) note(name, limiter.wait());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(entries).toHaveLength(3);
    expect(decide).toHaveBeenCalledTimes(5);
    expect(onDecision).toHaveBeenCalledTimes(3);
  });

  test("answers with a refusal, at once, when it would take longer than maxWaitMs", async () => {
    const limiter = createSluice().limit("1/s");
    const { entries, note } = diary();
    await limiter.consume();
    note("impatient", limiter.wait({}, { maxWaitMs: 999 }));
    note("patient", limiter.wait({}, { maxWaitMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(entries).toEqual([
      ["impatient", 0, false],
      ["patient", 1_000, true],
    ]);
  });

  test("gives up in line when the time is over, and those behind move up", async () => {
    const limiter = createSluice().limit("1/s");
    const { entries, note } = diary();
    await limiter.consume();
    note("first", limiter.wait());
    note("second", limiter.wait({}, { maxWaitMs: 500 }));
    note("third", limiter.wait());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(entries).toEqual([
      ["second", 500, false],
      ["first", 1_000, true],
      ["third", 2_000, true],
    ]);
  });

  test("a refusal in line is a refusal with a time to retry", async () => {
    const limiter = createSluice().limit("1/s");
    await limiter.consume();
    limiter.wait();
    const outwaited = limiter.wait({}, { maxWaitMs: 500 });
    await vi.advanceTimersByTimeAsync(500);
    expect(await outwaited).toMatchObject({ allowed: false, retryAfterMs: 500 });
  });

  test("who gives up behind somebody larger is refused by the limits of the line", async () => {
    const onDecision = vi.fn();
    const limiter = createSluice({ onDecision }).limit("2/s");
    await limiter.consume();
    limiter.wait({}, { cost: 2 });
    const outwaited = limiter.wait({}, { maxWaitMs: 50 });
    await vi.advanceTimersByTimeAsync(50);
    const decision = await outwaited;
    expect(decision).toMatchObject({ allowed: false, retryAfterMs: 1, refusedBy: decision.limits });
    expect(onDecision).toHaveBeenLastCalledWith(expect.objectContaining({ decision }));
  });

  test("a cost that can never fit is refused at once", async () => {
    const { entries, note } = diary();
    note("a", createSluice().limit("1/s").wait({}, { cost: 2 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(entries).toEqual([["a", 0, false]]);
  });

  test("spans beyond the longest timer are slept through", async () => {
    const limiter = createSluice().limit("1/60d");
    const { entries, note } = diary();
    await limiter.consume();
    note("a", limiter.wait());
    await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1);
    expect(entries).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(entries).toEqual([["a", 60 * 86_400_000, true]]);
  });

  test("who stands behind somebody for months is not forgotten", async () => {
    const limiter = createSluice().limit("1/30d");
    const { entries, note } = diary();
    await limiter.consume();
    note("first", limiter.wait());
    note("second", limiter.wait());
    await vi.advanceTimersByTimeAsync(61 * 86_400_000);
    expect(entries).toEqual([
      ["first", 30 * 86_400_000, true],
      ["second", 60 * 86_400_000, true],
    ]);
  });

  test("exactly as long as the limit says is long enough", async () => {
    vi.useRealTimers();
    const limiter = createSluice().limit("1/50ms");
    await limiter.consume();
    const { retryAfterMs } = await limiter.peek();
    expect((await limiter.wait({}, { maxWaitMs: retryAfterMs })).allowed).toBe(true);
  });

  test("who waits is not charged for asking, also where refusals count", async () => {
    const limiter = createSluice().limit("1/s", { countRefused: true });
    const { entries, note } = diary();
    await limiter.consume();
    await vi.advanceTimersByTimeAsync(500);
    note("a", limiter.wait());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(entries).toEqual([["a", 1_000, true]]);
  });

  test.each([-1, Number.NaN, "5", null])("maxWaitMs of %s is refused", async (maxWaitMs) => {
    await expect(
      createSluice()
        .limit("1/s")
        .wait({}, { maxWaitMs: maxWaitMs as number }),
    ).rejects.toThrow(BadOption);
  });
});

describe("an AbortSignal", () => {
  test("shared by many has one listener, which goes with the last of them", async () => {
    const limiter = createSluice().limit("user:1/s");
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    for (let user = 0; user < 50; user += 1) {
      await limiter.consume({ user });
      limiter.wait({ user }, { signal });
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  test("ends the wait at the head and in line with its reason, and leaves no timer and no listener", async () => {
    const limiter = createSluice().limit("1/s");
    const { entries, note } = diary();
    await limiter.consume();
    const controllers = [new AbortController(), new AbortController()];
    const listeners = controllers.map(({ signal }) => vi.spyOn(signal, "removeEventListener"));
    note("head", limiter.wait({}, { signal: controllers[0]!.signal }));
    note("behind", limiter.wait({}, { signal: controllers[1]!.signal }));
    note("last", limiter.wait());
    await vi.advanceTimersByTimeAsync(100);
    controllers[1]!.abort("went home");
    await vi.advanceTimersByTimeAsync(100);
    controllers[0]!.abort("hung up");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(entries).toEqual([
      ["behind", 100, "went home"],
      ["head", 200, "hung up"],
      ["last", 1_000, true],
    ]);
    expect(vi.getTimerCount()).toBe(0);
    for (const removed of listeners) expect(removed).toHaveBeenCalled();
  });

  test("that is aborted already ends it before anything is charged", async () => {
    const limiter = createSluice().limit("1/s");
    await expect(limiter.wait({}, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
    expect((await limiter.peek()).remaining).toBe(1);
  });
});
