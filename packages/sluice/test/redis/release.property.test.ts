/** Giving back a charge of some time ago, as a plan across slots does with what it held: never too much. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm, AlgorithmState, Quota } from "../../src/algorithm/algorithm.js";
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from "../../src/algorithm/registry.js";

const SCHEDULES = 3_000;
const SPANS = [1_000, 7_000, 100_000, 1_000_000, 3_600_000_000];

/** A charge, and how long after the one before, as a share of the span and in microseconds. */
interface Charge {
  readonly cost: number;
  readonly spans: number;
  readonly microseconds: number;
}

interface Schedule {
  readonly quota: Quota;
  readonly before: readonly Charge[];
  readonly released: Charge;
  readonly after: readonly Charge[];
  readonly release: Charge;
  /** When the outcomes are compared, counted from the release. */
  readonly looks: readonly Charge[];
}

const charges: fc.Arbitrary<Charge> = fc.record({
  cost: fc.integer({ min: 1, max: 5 }),
  spans: fc.constantFrom(0, 0, 0, 0.01, 0.1, 0.25, 1 / 3, 0.5, 1, 2),
  microseconds: fc.oneof(fc.constantFrom(0, 1, 1_000), fc.integer({ min: 0, max: 200_000 })),
});

function schedules(name: AlgorithmName): fc.Arbitrary<Schedule> {
  const { takes } = ALGORITHMS[name];
  const quota = fc
    .record({
      limit: fc.integer({ min: 1, max: 20 }),
      span: fc.constantFrom(...SPANS),
      parts: fc.constantFrom(1, 2, 3, 7, 10),
      burst: fc.integer({ min: 1, max: 20 }),
    })
    .map(({ limit, span, parts, burst }) => ({
      limit,
      span,
      ...(takes.includes("precision") && { precision: Math.floor(span / parts) }),
      ...(takes.includes("burst") && { burst }),
    }));
  const some = fc.array(charges, { maxLength: 6 });
  const looks = fc.array(charges, { minLength: 1, maxLength: 4 });
  return fc.record({ quota, before: some, released: charges, after: some, release: charges, looks });
}

/** A counter with a clock that only goes on. */
class Counted {
  private readonly state: AlgorithmState;
  private generations = 0;

  constructor(
    private readonly algorithm: Algorithm,
    private readonly params: unknown,
  ) {
    this.state = algorithm.create();
  }

  fits(cost: number, now: number): boolean {
    return this.judge(cost, now).allowed;
  }

  charge(cost: number, now: number): void {
    this.algorithm.charge(this.state, this.params, cost, now);
    this.generations += 1;
    if (this.state.generation === 0) this.state.generation = this.generations;
  }

  /** Gives back what the last charge took, later. */
  lastCharge(cost: number, instant: number): (now: number) => void {
    const { generation } = this.state;
    const mark = this.algorithm.mark?.(this.state) ?? 0;
    return (now) => {
      if (this.state.generation !== generation) return;
      this.algorithm.refund(this.state, this.params, cost, now, { cost, instant, mark });
    };
  }

  judge(cost: number, now: number) {
    return this.algorithm.judge(this.state, this.params, cost, now);
  }
}

interface Outcome {
  readonly now: number;
  /** The charge was made and given back; was never made; was made and kept. */
  readonly released: Counted;
  readonly without: Counted;
  readonly kept: Counted;
}

/** Charges what fits where most is charged; undefined when what is to be given back does not fit. */
function play(
  algorithm: Algorithm,
  { quota, before, released: first, after, release }: Schedule,
): Outcome | undefined {
  const params = algorithm.params(quota);
  const [released, without, kept] = Array.from({ length: 3 }, () => new Counted(algorithm, params));
  let now = 1_700_000_000_000_000;
  const later = ({ spans, microseconds }: Charge) => Math.round(now + spans * quota.span) + microseconds;
  const chargeAll = (charge: Charge) => {
    now = later(charge);
    if (!kept!.fits(charge.cost, now)) return;
    for (const counted of [released!, without!, kept!]) counted.charge(charge.cost, now);
  };
  before.forEach(chargeAll);
  now = later(first);
  const begin = now;
  if (!kept!.fits(first.cost, now)) return undefined;
  for (const counted of [released!, kept!]) counted.charge(first.cost, now);
  const giveBack = released!.lastCharge(first.cost, begin);
  after.forEach(chargeAll);
  now = later(release);
  giveBack(now);
  return { now, released: released!, without: without!, kept: kept! };
}

/** These forget a charge all at once, so that they give it back whole, or not at all. */
const EXACT: readonly AlgorithmName[] = ["sliding-log", "sliding-window", "fixed-window", "sliding-counter"];

/** Fractions are rounded, and what is below a millionth is nothing. */
const ROUNDING: Partial<Record<AlgorithmName, number>> = { ar1: 1e-5 };

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  const algorithm = ALGORITHMS[name];
  const rounding = ROUNDING[name] ?? 0;

  test("a charge given back leaves no more room than without it, and no less than with it", () => {
    let played = 0;
    fc.assert(
      fc.property(schedules(name), (schedule) => {
        const outcome = play(algorithm, schedule);
        if (outcome === undefined) return;
        played += 1;
        const { released, without, kept } = outcome;
        let { now } = outcome;
        for (const { cost, spans, microseconds } of schedule.looks) {
          if (EXACT.includes(name)) expect(released.judge(cost, now)).toEqual(without.judge(cost, now));
          const costs = Array.from({ length: schedule.quota.limit }, (_, index) => index + 1);
          const worse = costs.filter(
            (units) => kept.fits(units, now) && !released.fits(units - rounding, now),
          );
          const better = costs.filter(
            (units) => released.fits(units, now) && !without.fits(units - rounding, now),
          );
          expect({ worse, better }).toEqual({ worse: [], better: [] });
          now = Math.round(now + spans * schedule.quota.span) + microseconds;
        }
      }),
      { numRuns: SCHEDULES },
    );
    expect(played).toBeGreaterThan(SCHEDULES / 4);
  });
});
