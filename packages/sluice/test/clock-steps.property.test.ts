/** A clock that steps back: nobody waits longer than right after the last charge, plus a second. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm, Quota } from "../src/algorithm/algorithm.js";
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from "../src/algorithm/registry.js";

const RUNS = 3_000;
const START = 1_592_171_101_900_000;
const WAITED_OUT_MS = 1_000;

interface Move {
  readonly spans: number;
  readonly microseconds: number;
}

interface Story {
  readonly quota: Quota;
  /** The clock moves, forwards or back, and then so much is charged; or nothing is. */
  readonly charges: readonly (Move & { readonly cost: number })[];
  readonly asked: number;
}

function stories(name: AlgorithmName): fc.Arbitrary<Story> {
  const { takes } = ALGORITHMS[name];
  const quota = fc
    .record({
      limit: fc.integer({ min: 1, max: 12 }),
      span: fc.constantFrom(7_000, 1_000_000, 5_000_000, 60_000_000, 3_600_000_000),
      parts: fc.constantFrom(1, 2, 3, 10),
    })
    .map(({ limit, span, parts }) => ({
      limit,
      span,
      ...(takes.includes("precision") && { precision: Math.floor(span / parts) }),
    }));
  const move = {
    spans: fc.constantFrom(0, 0, 0.1, 0.3, 0.9, 1, 5, -0.05, -0.1, -0.3, -0.9, -1, -5, -1000),
    microseconds: fc.oneof(
      fc.constantFrom(0, 1, -1, -999_999, -1_000_000, -1_000_001),
      fc.integer({ min: -3_000_000, max: 3_000_000 }),
    ),
  };
  return fc.record({
    quota,
    charges: fc.array(fc.record({ ...move, cost: fc.integer({ min: 0, max: 12 }) }), {
      minLength: 2,
      maxLength: 10,
    }),
    asked: fc.integer({ min: 1, max: 12 }),
  });
}

/** How often a step back met state that counted. */
function play(algorithm: Algorithm, { quota, charges, asked }: Story): number {
  const params = algorithm.params(quota);
  const state = algorithm.create();
  let now = START;
  let promised = algorithm.judge(state, params, asked, now);
  let met = 0;
  for (const { spans, microseconds, cost } of charges) {
    const before = now;
    now = Math.max(0, Math.round(now + spans * quota.span) + microseconds);
    algorithm.heal(state, params, now);
    const { retryAfterMs, resetAfterMs } = algorithm.judge(state, params, asked, now);
    expect(retryAfterMs).toBeLessThanOrEqual(promised.retryAfterMs + WAITED_OUT_MS);
    expect(resetAfterMs).toBeLessThanOrEqual(promised.resetAfterMs + WAITED_OUT_MS);
    if (now < before && resetAfterMs > 0) met += 1;
    if (cost === 0) continue;
    algorithm.charge(state, params, cost, now);
    promised = algorithm.judge(state, params, asked, now);
  }
  return met;
}

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test("waits no longer after a step than right after the last charge, plus a second", () => {
    let met = 0;
    fc.assert(
      fc.property(stories(name), (story) => {
        met += play(ALGORITHMS[name], story);
      }),
      { numRuns: RUNS },
    );
    expect(met).toBeGreaterThan(RUNS);
  });
});
