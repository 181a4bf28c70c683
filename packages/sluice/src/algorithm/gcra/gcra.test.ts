import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QuotaError } from "../algorithm.js";
import { gcra } from "./gcra.js";

interface Params {
  readonly price: number;
  readonly drain: number;
  readonly capacity: number;
  readonly unit: number;
}

const paramsOf = (limit: number, span: number, burst = limit) =>
  gcra.params({ limit, span, burst }) as Params;

describe("params", () => {
  test.each([
    ["7/s", 7, 1_000_000, 7, { price: 1_000_000, drain: 7, capacity: 7_000_000, unit: 1_000_000 }],
    [
      "1000000/d",
      1_000_000,
      86_400_000_000,
      1_000_000,
      { price: 86_400, drain: 1, capacity: 86_400_000_000, unit: 86_400 },
    ],
    ["10/s burst 20", 10, 1_000_000, 20, { price: 100_000, drain: 1, capacity: 2_000_000, unit: 100_000 }],
    ["0/s", 0, 1_000_000, 0, { price: 1, drain: 0, capacity: 0, unit: 1 }],
  ])("%s is reduced to the smallest whole numbers", (_, limit, span, burst, expected) => {
    expect(paramsOf(limit, span, burst)).toEqual(expected);
  });

  test("whatever the quota, never more is admitted, and less than one in 10^9 less", () => {
    let rounded = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_000_000 }),
        fc.integer({ min: 1_000, max: 3_153_600_000_000_000 }),
        fc.integer({ min: 1, max: 9_000_000 }),
        (limit, span, burst) => {
          const made = attempt(() => paramsOf(limit, span, burst));
          if (made === undefined) return;
          const { price, drain, capacity } = made;
          expect(Number.isSafeInteger(price) && Number.isSafeInteger(drain) && drain > 0).toBe(true);
          expect(capacity).toBeLessThanOrEqual(2 ** 53);
          expect(BigInt(capacity)).toBe(BigInt(price) * BigInt(burst));
          const [ours, exact] = [BigInt(price) * BigInt(limit), BigInt(span) * BigInt(drain)];
          expect(ours >= exact).toBe(true);
          expect((ours - exact) * 1_000_000_000n < exact).toBe(true);
          if (ours > exact) rounded += 1;
        },
      ),
      { numRuns: 5_000 },
    );
    expect(rounded).toBeGreaterThan(100);
  });

  test("what cannot be held that well is refused", () => {
    expect(() => paramsOf(10_000_019, 86_400_000_000)).toThrow(QuotaError);
    expect(() => paramsOf(1, 31_536_000_000_000, 1_000)).toThrow(QuotaError);
  });
});

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    expect(error).toBeInstanceOf(QuotaError);
    return undefined;
  }
}

test("7/s does not drift by a microsecond in a million requests", () => {
  const params = paramsOf(7, 1_000_000);
  const start = 1_700_000_000_000_000n;
  const state = gcra.create();
  gcra.charge(state, params, 7, Number(start));
  for (let request = 1n; request <= 1_000_000n; request += 1n) {
    /** From a full bucket, request k fits from the first whole microsecond at or after k / 7 seconds. */
    const due = Number(start + (request * 1_000_000n + 6n) / 7n);
    if (gcra.take(state, params, 1, due - 1).allowed) expect.fail(`request ${request} fits too early`);
    if (!gcra.take(state, params, 1, due).allowed) expect.fail(`request ${request} does not fit in time`);
  }
});

test("a bucket of exactly 2^53 is not exceeded by a unit that a sum would lose", () => {
  const params = { price: 2, drain: 1, capacity: 2 ** 53, unit: 2 };
  const state = { generation: 0, instant: 0, debt: 2 ** 53 - 1, gone: 0, drained: 0 };
  expect(gcra.judge(state, params, 1, 0)).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 1 });
});
