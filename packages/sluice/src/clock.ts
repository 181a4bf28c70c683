/** What time it is, for a store. */
import { BadClock, shown } from "./errors.js";

/** Whole microseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now() * 1000;

/** A clock from outside, held to its contract at every reading. */
export function checkedClock(clock: Clock): Clock {
  return () => {
    const now = clock();
    if (Number.isSafeInteger(now) && now >= 0) return now;
    throw new BadClock(
      `A clock must return whole microseconds since the epoch, and returned ${shown(now)}. ` +
        "Date.now() * 1000 is such a number.",
    );
  };
}
