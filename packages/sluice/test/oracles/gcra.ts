/** A bucket whose level is an exact fraction, with a list of what went in and nothing reduced or rounded. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const gcraOracle: CreateOracle = ({ limit, span, burst = limit }) => {
  /** Units in use, times the span, as they were at `instant`. */
  let level = 0n;
  let instant: number | undefined;
  /** What has left the bucket, drained or given back, since it was last empty; and what of it drained unaccounted. */
  let gone = 0n;
  let drained = 0n;
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
      if (!isFarAhead(instant, now)) return false;
      instant = now;
      return true;
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
      const before = levelAt(now);
      gone = before === 0n ? 0n : gone + level - before;
      drained = before === 0n ? 0n : drained + level - before;
      const charged = before + BigInt(cost) * per;
      level = charged < size ? charged : size;
      instant = level === 0n ? undefined : waitedOut(instant, now);
      return gone + level;
    },
    /** Less what has drained of it: at most what its place, its age and all that has drained allow. */
    refund(cost, now, charged) {
      const before = levelAt(now);
      gone += level - before;
      drained += level - before;
      const whole = BigInt(cost) * per;
      const age = BigInt(Math.max(0, waitedOut(instant, now) - charged.instant));
      const mark = charged.mark ?? 0n;
      const last = mark === gone + before && cost === charged.cost;
      const least = (...some: bigint[]) => some.reduce((a, b) => (a < b ? a : b));
      const byPlace = whole - least(whole, mark > gone ? mark - gone : 0n);
      const lost = least(drained, byPlace, BigInt(limit) * age);
      const given = least(before, whole - lost);
      drained -= lost;
      level = before - given;
      if (!last) gone += given;
      instant = level === 0n ? undefined : waitedOut(instant, now);
    },
  };
};
