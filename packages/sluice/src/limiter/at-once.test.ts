import { expect, test } from "vitest";
import { memoryStore } from "../store/memory/memory-store.js";
import { manualClock } from "../testing/manual-clock.js";
import { consumeAtOnce } from "./at-once.js";
import { createSluice } from "./sluice.js";

const facts = { user: "ada" };

function limiterOf(rule: string) {
  return createSluice({ store: memoryStore({ clock: manualClock(0) }) }).limit(rule, { cost: 2 });
}

test("answers without a promise, as consume does with one", async () => {
  const [one, other] = [limiterOf("user:5/m"), limiterOf("user:5/m")];
  const consume = consumeAtOnce(one);
  for (const cost of [undefined, 1, 3, undefined]) {
    const decision = consume(facts, cost);
    expect(decision).not.toBeInstanceOf(Promise);
    expect(decision).toEqual(await other.consume(facts, cost === undefined ? undefined : { cost }));
  }
});

test("throws what consume rejects with", async () => {
  const limiter = limiterOf("user:5/m");
  const consume = consumeAtOnce(limiter);
  const rejected = await limiter.consume(facts, { cost: 0.5 }).catch((error: unknown) => error);
  expect(() => consume(facts, 0.5)).toThrow(rejected as Error);
  expect(() => consume({}, undefined)).toThrow('The rule counts by "user"');
});

test("a limiter that somebody else made is asked by its own consume", async () => {
  const limiter = limiterOf("user:5/m");
  const asked: unknown[] = [];
  const consume = consumeAtOnce({
    consume(...question) {
      asked.push(question);
      return limiter.consume(...question);
    },
  });
  expect(await consume(facts, 3)).toMatchObject({ remaining: 2 });
  expect(await consume(facts, undefined)).toMatchObject({ remaining: 0 });
  expect(asked).toEqual([
    [facts, { cost: 3 }],
    [facts, undefined],
  ]);
});
