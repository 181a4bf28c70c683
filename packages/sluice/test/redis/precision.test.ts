/** Numbers survive the way to Redis, through its script, and back: late instants, large limits, long fractions. */
import { describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { type Random, seededRandom } from "../../src/testing/random.js";
import { type CreateStore, freshNamespace } from "../../src/testing/run-scenario.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { connections, storeOn } from "./connections.js";

const START = 1_700_000_000_000_000;
const LARGEST = Number.MAX_SAFE_INTEGER;
const { open } = connections();

interface Schedule {
  readonly rule: string;
  readonly start: number;
  readonly steps: number;
  /** Microseconds until the next question. */
  readonly step: (random: Random) => number;
  /** What the next question costs, where so much is left. */
  readonly cost: (random: Random, remaining: number) => number;
}

/** Both stores are asked the same on the same clock; every number of every answer must be the same. */
async function expectSameAnswers({ rule, start, steps, step, cost }: Schedule): Promise<void> {
  const random = seededRandom(steps + (start % 1_000));
  const clock = manualClock(start);
  const stores = [storeOn(await open("single", inject("servers")), { clock }), memoryStore({ clock })];
  const [redis, memory] = stores.map((store) =>
    createSluice({ namespace: freshNamespace(), store }).limit(rule),
  );
  let left = 1;
  const outcomes = { allowed: 0, refused: 0 };
  for (let number = 1; number <= steps; number += 1) {
    clock.set(clock() + step(random));
    const call = random.chance(0.1) ? "refund" : "consume";
    const options = { cost: Math.min(LARGEST, Math.max(1, cost(random, left))) };
    const [asked, expected] = [await redis![call]({}, options), await memory![call]({}, options)];
    expect(asked, `step ${number}: ${call} ${options.cost} at ${clock()}`).toEqual(expected);
    if (asked) outcomes[asked.allowed ? "allowed" : "refused"] += 1;
    left = asked?.remaining ?? left;
  }
  expect(Math.min(outcomes.allowed, outcomes.refused)).toBeGreaterThan(steps / 20);
}

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test.each([2 ** 50 + 1, 2 ** 51 + 333, 2 ** 52 - 1, 2 ** 53 - 100_000_000])(
    "at %i µs, a microsecond makes the difference that it makes in memory",
    (start) =>
      expectSameAnswers({
        rule: `7/1.003ms ${name}`,
        start,
        steps: 200,
        step: (random) => random.pick([0, 1, 1, 2, 3, 100, 999, 1_003, 1_004]),
        cost: (random) => random.integer(1, 3),
      }),
  );
});

/** As large as each algorithm takes over a day. */
const LARGE = [
  `${LARGEST}/d fixed-window`,
  `${LARGEST}/d sliding-counter`,
  `${LARGEST}/d ar1`,
  `${2 ** 51}/d sliding-window`,
  "90071/d gcra",
  "9007199/s gcra burst 9007199254",
  "100000/d sliding-log",
];

test.each(LARGE)("%s decides on the last unit as in memory", (rule) =>
  expectSameAnswers({
    rule,
    start: START + 1,
    steps: 120,
    step: (random) => random.pick([0, 0, 1, 777, 1_000_001, 3_600_000_003, 43_200_000_000]),
    cost: (random, left) =>
      random.pick([left - 1, left, left, left + 1, left + 2, Math.ceil(left / 3), LARGEST]),
  }),
);

const STORES: readonly { readonly name: string; readonly create: CreateStore }[] = [
  { name: "memory", create: memoryStore },
  { name: "Redis", create: async ({ clock }) => storeOn(await open("single", inject("servers")), { clock }) },
];

test.each(STORES)(
  "sliding-counter in $name refuses where rounding leaves no time to wait",
  async ({ create }) => {
    const clock = manualClock(1_699_999_981_926_432);
    const sluice = createSluice({ namespace: freshNamespace(), store: await create({ clock }) });
    const limiter = sluice.limit("1000000000000/m sliding-counter");
    await limiter.consume({}, { cost: 1_000_000_000_000 });
    clock.set(1_700_000_052_337_173);
    const { allowed, remaining, retryAfterMs } = await limiter.consume({}, { cost: 205_619_550_000 });
    expect({ allowed, remaining }).toEqual({ allowed: false, remaining: 205_619_549_999 });
    expect(retryAfterMs).toBe(1);
  },
);

test.each(["9/s:1ms ar1", "100/h:7s ar1", "1000/d:1m ar1"])(
  "%s has the same fraction after 1,500 steps",
  (rule) =>
    expectSameAnswers({
      rule,
      start: START,
      steps: 1_500,
      step: (random) => random.pick([0, 333, 1_000, 7_000_001, 60_000_000]),
      cost: (random, left) => random.pick([1, 1, 2, 3, left, left + 1]),
    }),
);

test.each(CLIENTS)("$name reads 2^53 - 2 from a reply", async (kind) => {
  const store = storeOn(await open("single", inject("servers"), kind));
  const limiter = createSluice({ namespace: freshNamespace(), store }).limit(`${LARGEST}/d fixed-window`);
  expect((await limiter.consume()).remaining).toBe(LARGEST - 1);
});
