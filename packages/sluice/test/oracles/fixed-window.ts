/** A list of every unit that was admitted, on a clock that goes on when the store's steps back. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const fixedWindowOracle: CreateOracle = ({ limit, span }) => {
  let units: number[] = [];
  let ahead = 0;
  const own = (now: number) => waitedOut(units.at(-1), now + ahead);
  const windowOf = (instant: number) => Math.floor(instant / span);
  const counted = (now: number) => units.filter((unit) => windowOf(unit) === windowOf(own(now)));

  /** Without a unit left, the store's clock counts again. */
  function keep(now: number, left: readonly number[]): number {
    if (left.length === 0) ahead = 0;
    units = [];
    return left.length === 0 ? now : Math.max(now + ahead, left.at(-1) as number);
  }

  return {
    heal(now) {
      const newest = units.at(-1);
      if (!isFarAhead(newest, now + ahead)) return false;
      ahead = newest - now;
      return true;
    },
    fits: (cost, now) => counted(now).length + cost <= limit,
    turningPoints: (now) => (counted(now).length === 0 ? [] : [(windowOf(own(now)) + 1) * span - ahead]),
    charge(cost, now) {
      const left = counted(now);
      const at = keep(now, left);
      units = Array<number>(Math.min(limit, left.length + cost)).fill(at);
      return undefined;
    },
    refund(cost, now, { instant }) {
      if (windowOf(instant + ahead) !== windowOf(own(now))) return;
      const left = counted(now);
      const at = keep(now, left);
      units = Array<number>(Math.max(0, left.length - cost)).fill(at);
      if (units.length === 0) ahead = 0;
    },
  };
};
