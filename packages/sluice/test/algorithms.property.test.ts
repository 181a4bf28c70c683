/** Every algorithm against its oracle, on random schedules: the verdict, its numbers, and the retry promise. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm, AlgorithmState, PastCharge, Quota, Verdict } from "../src/algorithm/algorithm.js";
import { ALGORITHMS, type AlgorithmName } from "../src/algorithm/registry.js";
import { type ar1Oracle, LEAN } from "./oracles/ar1.js";
import {
  type Answer,
  answerOf,
  type CreateOracle,
  type KnowingOracle,
  type KnownCharge,
  knowing,
} from "./oracles/oracle.js";
import { ORACLES } from "./oracles/registry.js";

const SCHEDULES = 10_000;

/** What one step does: `force` charges although it may not fit, as a plan with And does. */
type Act = "consume" | "peek" | "force" | "refund";

interface Step {
  readonly act: Act;
  readonly cost: number;
  /** How far the clock moves before it, as a number of spans and microseconds. */
  readonly spans: number;
  readonly microseconds: number;
}

interface Schedule {
  readonly quota: Quota;
  readonly start: number;
  readonly steps: readonly Step[];
}

const SPANS = [1_000, 7_000, 100_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000];
const STARTS = [0, 1, 1_592_171_101_900_000, 1_699_999_999_999_999];

function quotas(name: AlgorithmName): fc.Arbitrary<Quota> {
  const { takes } = ALGORITHMS[name];
  return fc
    .record({
      limit: fc.integer({ min: 0, max: 12 }),
      span: fc.constantFrom(...SPANS),
      parts: fc.constantFrom(1, 2, 3, 7, 10),
      burst: fc.integer({ min: 1, max: 20 }),
      bursts: fc.boolean(),
    })
    .map(({ limit, span, parts, burst, bursts }) => ({
      limit,
      span,
      ...(takes.includes("precision") && { precision: Math.floor(span / parts) }),
      ...(takes.includes("burst") && { burst: bursts && limit > 0 ? burst : limit }),
    }));
}

const steps: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom<Act>("consume", "consume", "consume", "peek", "force", "refund"),
  cost: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 14 }) },
  ),
  spans: fc.constantFrom(0, 0, 0, 0.1, 0.25, 1 / 3, 0.5, 1, 2, 1000, -0.5, -3, -1000),
  microseconds: fc.oneof(
    fc.constantFrom(0, 0, 1, -1, 1_000, -1_000, 999_999, -999_999, -1_000_000, -1_000_001),
    fc.integer({ min: -2_000, max: 200_000 }),
  ),
});

function schedules(name: AlgorithmName): fc.Arbitrary<Schedule> {
  return fc.record({
    quota: quotas(name),
    start: fc.constantFrom(...STARTS),
    steps: fc.array(steps, { minLength: 1, maxLength: 16 }),
  });
}

/** Plays one schedule on the algorithm and on its oracle. */
function play(algorithm: Algorithm, createOracle: CreateOracle, { quota, start, steps }: Schedule): void {
  const params = algorithm.params(quota);
  const size = quota.burst ?? quota.limit;
  let state = algorithm.create();
  let oracle = knowing(createOracle(quota));
  let now = start;
  /** What was charged and fitted. */
  let charges: (PastCharge & { readonly generation: number; readonly known: KnownCharge })[] = [];
  let generations = 0;
  for (const { act, cost, spans, microseconds } of steps) {
    now = Math.max(0, Math.round(now + spans * quota.span) + microseconds);
    oracle.heal(now);
    algorithm.heal(state, params, now);

    const verdict = algorithm.judge(state, params, cost, now);
    expectAnswer(verdict, oracle, size, cost, now);
    expectPromise(algorithm, params, state, verdict, cost, now);

    const changes = act === "force" || (act === "consume" && verdict.allowed);
    if (act === "refund") {
      const charged = charges.splice(cost % Math.max(1, charges.length), 1)[0];
      if (charged !== undefined) {
        const units = Math.min(cost, charged.cost);
        if (charged.generation === state.generation) algorithm.refund(state, params, units, now, charged);
        oracle.refund(units, now, charged.known);
      }
    } else if (changes) {
      algorithm.charge(state, params, cost, now);
      const known = oracle.charge(cost, now);
      generations += 1;
      if (state.generation === 0) state.generation = generations;
      const { generation } = state;
      const mark = algorithm.mark?.(state) ?? 0;
      if (verdict.allowed) charges.push({ cost, instant: now, mark, generation, known });
    }
    const after = algorithm.judge(state, params, cost, now);
    expectAnswer(after, oracle, size, cost, now);
    /** As every store does: what is as good as never used is forgotten when it is written. */
    if ((changes || act === "refund") && after.resetAfterMs === 0) {
      state = algorithm.create();
      oracle = knowing(createOracle(quota));
      charges = [];
    }
  }
}

/** Plays one schedule by `take`, beside one that judges, charges what fits, and judges again. */
function playTake(algorithm: Algorithm, { quota, start, steps }: Schedule): void {
  const params = algorithm.params(quota);
  const [taken, stepwise] = [algorithm.create(), algorithm.create()];
  let now = start;
  for (const { act, cost, spans, microseconds } of steps) {
    now = Math.max(0, Math.round(now + spans * quota.span) + microseconds);
    expect(algorithm.heal(taken, params, now)).toBe(algorithm.heal(stepwise, params, now));
    if (act === "force") for (const state of [taken, stepwise]) algorithm.charge(state, params, cost, now);
    const before = algorithm.judge(stepwise, params, cost, now);
    if (before.allowed) algorithm.charge(stepwise, params, cost, now);
    const after = algorithm.judge(stepwise, params, cost, now);
    const { remaining, resetAfterMs } = after;
    expect(algorithm.take(taken, params, cost, now)).toEqual(
      before.allowed ? { allowed: true, remaining, retryAfterMs: 0, resetAfterMs } : after,
    );
    expect(taken).toEqual(stepwise);
  }
}

const FIELDS = ["allowed", "remaining", "retryAfterMs", "resetAfterMs"] as const;

function expectAnswer(
  verdict: Verdict,
  oracle: KnowingOracle,
  size: number,
  cost: number,
  now: number,
): void {
  if (!isLeaning(oracle)) {
    expect(verdict).toEqual(answerOf(oracle, size, cost, now));
    return;
  }
  const leaning = (slack: bigint): Answer => {
    oracle.leanBy(slack);
    const answer = answerOf(oracle, size, cost, now);
    oracle.leanBy(0n);
    return answer;
  };
  const early = leaning(LEAN);
  if (FIELDS.every((field) => early[field] === verdict[field])) return;
  const late = leaning(-LEAN);
  for (const field of FIELDS) {
    expect([early[field], late[field]], field).toContain(verdict[field]);
  }
}

function isLeaning(oracle: object): oracle is ReturnType<typeof ar1Oracle> {
  return "leanBy" in oracle;
}

/** If nothing else happens, the same request is allowed after `retryAfterMs`, and was refused 1 ms before. */
function expectPromise(
  algorithm: Algorithm,
  params: unknown,
  state: AlgorithmState,
  { allowed, retryAfterMs }: Verdict,
  cost: number,
  now: number,
): void {
  if (allowed || !Number.isFinite(retryAfterMs)) return;
  const fitsAfter = (ms: number) => algorithm.judge(state, params, cost, now + ms * 1000).allowed;
  expect(fitsAfter(retryAfterMs)).toBe(true);
  expect(fitsAfter(retryAfterMs - 1)).toBe(false);
}

describe.each(Object.keys(ORACLES) as AlgorithmName[])("%s", (name) => {
  test(`agrees with its oracle on ${SCHEDULES} random schedules`, () => {
    let played = 0;
    fc.assert(
      fc.property(schedules(name), (schedule) => {
        play(ALGORITHMS[name], ORACLES[name], schedule);
        played += 1;
      }),
      { numRuns: SCHEDULES },
    );
    expect(played).toBeGreaterThanOrEqual(SCHEDULES);
  });
});

describe.each(Object.keys(ALGORITHMS) as AlgorithmName[])("take of %s", (name) => {
  test("is judge, charge where it fits, and judge", () => {
    fc.assert(
      fc.property(schedules(name), (schedule) => playTake(ALGORITHMS[name], schedule)),
      { numRuns: SCHEDULES },
    );
  });
});
