/** What each algorithm promises, straight from its definition: no admission may have come on top of too many others. */
import type { Quota } from "../../src/algorithm/algorithm.js";
import type { AlgorithmName } from "../../src/algorithm/registry.js";

/** A request that was admitted, with the units that were not given back. */
export interface Admission {
  readonly at: number;
  units: number;
}

/** The first admission, in the order in which they came, that breaks the bound of all that were never given back. */
export type FindExcess = (admissions: readonly Admission[], quota: Quota) => Admission | undefined;

/** Units of all admissions up to this one, each weighed by `weight`. */
function weighed(
  admissions: readonly Admission[],
  index: number,
  weight: (earlier: Admission, now: number) => number,
): number {
  const now = admissions[index]!.at;
  let sum = 0;
  for (let earlier = index; earlier >= 0; earlier -= 1) {
    const admission = admissions[earlier]!;
    sum += admission.units * weight(admission, now);
  }
  return sum;
}

function byWeight(
  weight: (quota: Quota) => (earlier: Admission, now: number) => number,
  rounding = 0,
): FindExcess {
  return (admissions, quota) => {
    const weigh = weight(quota);
    return admissions.find(
      ({ units }, index) => units > 0 && weighed(admissions, index, weigh) > quota.limit + rounding,
    );
  };
}

export const BOUNDS: Readonly<Record<AlgorithmName, FindExcess>> = {
  /** Never more than the limit in any span. */
  "sliding-log": byWeight(
    ({ span }) =>
      ({ at }, now) =>
        at + span > now ? 1 : 0,
  ),
  /** A bucket counts as long as its first instant is in the span. */
  "sliding-window": byWeight(
    ({ span, precision = span }) =>
      ({ at }, now) =>
        Math.floor(at / precision) * precision + span > now ? 1 : 0,
  ),
  "fixed-window": byWeight(
    ({ span }) =>
      ({ at }, now) =>
        Math.floor(at / span) === Math.floor(now / span) ? 1 : 0,
  ),
  "sliding-counter": byWeight(
    ({ span }) =>
      ({ at }, now) => {
        const windows = Math.floor(now / span) - Math.floor(at / span);
        return windows === 0 ? 1 : windows === 1 ? (span - (now % span)) / span : 0;
      },
    1e-9,
  ),
  ar1: byWeight(
    ({ span, precision = span }) =>
      ({ at }, now) =>
        ((span - precision) / span) ** (Math.floor(now / precision) - Math.floor(at / precision)),
    1e-5,
  ),
  /** A bucket that only ever held what was not given back never overflows. */
  gcra(admissions, { limit, span, burst = limit }) {
    let level = 0;
    let last = 0;
    return admissions.find(({ at, units }) => {
      level = Math.max(0, level - limit * (at - last)) + units * span;
      last = at;
      return units > 0 && level > burst * span;
    });
  },
};
