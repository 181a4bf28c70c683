/** A list of every unit that was admitted. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const slidingLogOracle: CreateOracle = ({ limit, span }) => {
  let units: number[] = [];
  const newest = () => units.at(-1);
  const live = (now: number) => units.filter((unit) => unit > waitedOut(newest(), now) - span);
  return {
    heal(now) {
      const last = newest();
      if (isFarAhead(last, now)) units = units.map((unit) => unit - (last - now));
    },
    fits: (cost, now) => live(now).length + cost <= limit,
    turningPoints: (now) => live(now).map((unit) => unit + span),
    charge(cost, now) {
      const at = waitedOut(newest(), now);
      units = [...live(now), ...Array<number>(Math.min(cost, limit)).fill(at)];
      units = units.slice(Math.max(0, units.length - limit));
    },
    refund(cost, now) {
      units = live(now);
      units = units.slice(0, Math.max(0, units.length - cost));
    },
  };
};
