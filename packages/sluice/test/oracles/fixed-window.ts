/** A list of every unit that was admitted, each remembered by its window. */
import { type CreateOracle, isFarAhead, waitedOut } from "./oracle.js";

export const fixedWindowOracle: CreateOracle = ({ limit, span }) => {
  let windows: number[] = [];
  const newestStart = () => {
    const last = windows.at(-1);
    return last === undefined ? undefined : last * span;
  };
  const windowAt = (now: number) => Math.floor(waitedOut(newestStart(), now) / span);
  const counted = (now: number) => windows.filter((window) => window === windowAt(now));
  return {
    heal(now) {
      if (isFarAhead(newestStart(), now)) windows = counted(now).map(() => Math.floor(now / span));
    },
    fits: (cost, now) => counted(now).length + cost <= limit,
    turningPoints: (now) => (counted(now).length === 0 ? [] : [(windowAt(now) + 1) * span]),
    charge(cost, now) {
      const window = windowAt(now);
      windows = [...counted(now), ...Array<number>(cost).fill(window)].slice(0, limit);
    },
    refund(cost, now) {
      const left = counted(now);
      windows = left.slice(0, Math.max(0, left.length - cost));
    },
  };
};
