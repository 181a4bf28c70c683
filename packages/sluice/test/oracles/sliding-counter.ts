/** Two lists of units, the previous window's and this one's, and the estimate as an exact fraction. */
import { type CreateOracle, isFarAhead } from "./oracle.js";

export const slidingCounterOracle: CreateOracle = ({ limit, span }) => {
  let window: number | undefined;
  let previous = 0;
  let current = 0;

  /** Window, counts and instant as seen at `now`. */
  function seen(now: number) {
    const at = window === undefined ? now : Math.max(now, window * span);
    const here = Math.floor(at / span);
    if (here === window) return { at, here, previous, current };
    return { at, here, previous: here - 1 === window ? current : 0, current: 0 };
  }

  /** previous · (span − elapsed) / span + current + cost ≤ limit, multiplied by the span. */
  function fits(cost: number, now: number): boolean {
    const view = seen(now);
    const elapsed = BigInt(view.at - view.here * span);
    const estimate = BigInt(view.previous) * (BigInt(span) - elapsed) + BigInt(view.current) * BigInt(span);
    return estimate + BigInt(cost) * BigInt(span) <= BigInt(limit) * BigInt(span);
  }

  function forgetWhenEmpty() {
    if (previous === 0 && current === 0) window = undefined;
  }

  return {
    heal(now) {
      const start = window === undefined ? undefined : window * span;
      if (isFarAhead(start, now)) window = Math.floor(now / span);
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
      return points.filter((point) => point > now);
    },
    charge(cost, now) {
      const view = seen(now);
      window = view.here;
      previous = view.previous;
      current = Math.min(limit, view.current + cost);
      forgetWhenEmpty();
    },
    refund(cost, now) {
      const view = seen(now);
      const fromCurrent = Math.min(cost, view.current);
      window = view.here;
      current = view.current - fromCurrent;
      previous = Math.max(0, view.previous - (cost - fromCurrent));
      forgetWhenEmpty();
    },
  };
};
