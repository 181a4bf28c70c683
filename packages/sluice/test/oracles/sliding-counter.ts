/** Two lists of units, the previous window's and this one's, and the estimate as an exact fraction. */
import { type CreateOracle, isFarAhead } from "./oracle.js";

export const slidingCounterOracle: CreateOracle = ({ limit, span }) => {
  let instant: number | undefined;
  let ahead = 0;
  let previous = 0;
  let current = 0;

  /** Own instant, window and counts as seen at `now`. */
  function seen(now: number) {
    const at = instant === undefined ? now : Math.max(now + ahead, instant);
    const here = Math.floor(at / span);
    const then = instant === undefined ? here : Math.floor(instant / span);
    if (here === then) return { at, here, previous, current };
    return { at, here, previous: here - 1 === then ? current : 0, current: 0 };
  }

  /** Without anything left, the store's clock counts again. */
  function set(at: number, previousUnits: number, currentUnits: number): void {
    previous = previousUnits;
    current = currentUnits;
    instant = previous + current === 0 ? undefined : at;
    if (instant === undefined) ahead = 0;
  }

  /** previous · (span − elapsed) / span + current + cost ≤ limit, multiplied by the span. */
  function fits(cost: number, now: number): boolean {
    const view = seen(now);
    const elapsed = BigInt(view.at - view.here * span);
    const estimate = BigInt(view.previous) * (BigInt(span) - elapsed) + BigInt(view.current) * BigInt(span);
    return estimate + BigInt(cost) * BigInt(span) <= BigInt(limit) * BigInt(span);
  }

  return {
    heal(now) {
      if (!isFarAhead(instant, now + ahead)) return false;
      ahead = instant - now;
      return true;
    },
    fits,
    /** For each whole weight of the previous window, the instant at which it has faded to it. */
    turningPoints(now) {
      const view = seen(now);
      const points: number[] = [];
      const fading = (units: number, first: number) => {
        for (let weight = units; weight >= 0; weight -= 1) {
          const left = (BigInt(weight) * BigInt(span)) / BigInt(Math.max(1, units));
          points.push(first + span - Number(left));
        }
      };
      if (view.previous > 0) fading(view.previous, view.here * span);
      if (view.current > 0) fading(view.current, (view.here + 1) * span);
      return points.map((point) => point - ahead).filter((point) => point > now);
    },
    charge(cost, now) {
      const view = seen(now);
      const unused = view.previous + view.current === 0;
      if (unused) ahead = 0;
      set(unused ? now : view.at, view.previous, Math.min(limit, view.current + cost));
      return undefined;
    },
    displaces: (cost, now) => seen(now).current + cost > limit,
    refund(cost, now, charged) {
      const view = seen(now);
      const windows = view.here - Math.floor((charged.instant + ahead) / span);
      if (windows === 0) set(view.at, view.previous, Math.max(0, view.current - cost));
      if (windows === 1) set(view.at, Math.max(0, view.previous - cost), view.current);
    },
  };
};
