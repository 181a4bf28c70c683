/** A list of every unit that was admitted. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const slidingLogOracle: CreateOracle = ({ limit, span }) => {
  let units: number[] = [];
  const newest = () => units.at(-1);
  const live = (now: number) => units.filter((unit) => unit > waitedOut(newest(), now) - span);
  return {
    heal(now) {
      const last = newest();
      if (!isFarAhead(last, now)) return false;
      units = units.map((unit) => unit - (last - now));
      return true;
    },
    fits: (cost, now) => live(now).length + cost <= limit,
    turningPoints: (now) => live(now).map((unit) => unit + span),
    charge(cost, now) {
      const at = waitedOut(newest(), now);
      units = [...live(now), ...Array<number>(Math.min(cost, limit)).fill(at)];
      units = units.slice(Math.max(0, units.length - limit));
      return undefined;
    },
    refund(cost, now, { instant }) {
      let left = cost;
      units = live(now).filter((unit) => {
        if (unit !== instant || left === 0) return true;
        left -= 1;
        return false;
      });
    },
  };
};
