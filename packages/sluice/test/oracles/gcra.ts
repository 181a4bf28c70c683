/** A bucket whose level is an exact fraction, with a list of what went in and nothing reduced or rounded. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const gcraOracle: CreateOracle = ({ limit, span, burst = limit }) => {
  /** Units in use, times the span, as they were at `instant`. */
  let level = 0n;
  let instant: number | undefined;
  const per = BigInt(span);
  const size = BigInt(burst) * per;

  function levelAt(now: number): bigint {
    if (instant === undefined) return 0n;
    const drained = level - BigInt(limit) * BigInt(waitedOut(instant, now) - instant);
    return drained > 0n ? drained : 0n;
  }
  const fits = (cost: number, now: number) => levelAt(now) + BigInt(cost) * per <= size;

  return {
    heal(now) {
      if (isFarAhead(instant, now)) instant = now;
    },
    fits,
    /** The first whole microsecond at which each possible cost fits, and the one at which it is empty. */
    turningPoints(now) {
      const used = levelAt(now);
      if (used === 0n || limit === 0) return [];
      const base = waitedOut(instant, now);
      const points = [];
      for (let cost = 0; cost <= burst; cost += 1) {
        const excess = used + BigInt(cost) * per - size;
        if (excess > 0n) points.push(base + Number((excess + BigInt(limit) - 1n) / BigInt(limit)));
      }
      points.push(base + Number((used + BigInt(limit) - 1n) / BigInt(limit)));
      return points;
    },
    charge(cost, now) {
      const charged = levelAt(now) + BigInt(cost) * per;
      level = charged < size ? charged : size;
      instant = level === 0n ? undefined : waitedOut(instant, now);
    },
    refund(cost, now) {
      const refunded = levelAt(now) - BigInt(cost) * per;
      level = refunded > 0n ? refunded : 0n;
      instant = level === 0n ? undefined : waitedOut(instant, now);
    },
  };
};
