/** A list of every unit that was admitted, each remembered only by its bucket, and when each bucket was last charged. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const slidingWindowOracle: CreateOracle = ({ limit, span, precision = span }) => {
  /** On a clock of their own, which a step back leaves where it was. */
  let buckets: number[] = [];
  const charged = new Map<number, number>();
  let ahead = 0;
  const newest = () => {
    const last = buckets.at(-1);
    return last === undefined ? undefined : charged.get(last);
  };
  const live = (now: number) => {
    const at = waitedOut(newest(), now + ahead);
    return buckets.filter((bucket) => bucket * precision + span > at);
  };
  return {
    heal(now) {
      const last = newest();
      if (!isFarAhead(last, now + ahead)) return false;
      ahead = last - now;
      return true;
    },
    fits: (cost, now) => live(now).length + cost <= limit,
    turningPoints: (now) => live(now).map((bucket) => bucket * precision + span - ahead),
    charge(cost, now) {
      buckets = live(now);
      if (buckets.length === 0) ahead = 0;
      const at = waitedOut(newest(), now + ahead);
      const bucket = Math.floor(at / precision);
      charged.set(bucket, at);
      buckets = [...buckets, ...Array<number>(Math.min(cost, limit)).fill(bucket)];
      buckets = buckets.slice(Math.max(0, buckets.length - limit));
      return undefined;
    },
    refund(cost, now, { instant }) {
      let left = cost;
      buckets = live(now).filter((bucket) => {
        if (bucket !== Math.floor((instant + ahead) / precision) || left === 0) return true;
        left -= 1;
        return false;
      });
    },
  };
};
