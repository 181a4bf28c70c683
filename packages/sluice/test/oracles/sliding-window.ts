/** A list of every unit that was admitted, each remembered only by its bucket. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const slidingWindowOracle: CreateOracle = ({ limit, span, precision = span }) => {
  let buckets: number[] = [];
  const newestStart = () => {
    const last = buckets.at(-1);
    return last === undefined ? undefined : last * precision;
  };
  const live = (now: number) => {
    const at = waitedOut(newestStart(), now);
    return buckets.filter((bucket) => bucket * precision + span > at);
  };
  return {
    heal(now) {
      const start = newestStart();
      if (!isFarAhead(start, now)) return undefined;
      const ahead = start / precision - Math.floor(now / precision);
      buckets = buckets.map((bucket) => bucket - ahead);
      return start + precision - 1;
    },
    fits: (cost, now) => live(now).length + cost <= limit,
    turningPoints: (now) => live(now).map((bucket) => bucket * precision + span),
    charge(cost, now) {
      const bucket = Math.floor(waitedOut(newestStart(), now) / precision);
      buckets = [...live(now), ...Array<number>(Math.min(cost, limit)).fill(bucket)];
      buckets = buckets.slice(Math.max(0, buckets.length - limit));
      return undefined;
    },
    refund(cost, now, { instant }) {
      let left = cost;
      buckets = live(now).filter((bucket) => {
        if (bucket !== Math.floor(instant / precision) || left === 0) return true;
        left -= 1;
        return false;
      });
    },
  };
};
