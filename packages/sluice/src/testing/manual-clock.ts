/** A clock that stands still until it is told otherwise. */
import type { Clock } from "../clock.js";

export interface ManualClock extends Clock {
  /** To an instant, in microseconds; backwards too. */
  set(microseconds: number): void;
  /** Forward by milliseconds, or back by negative ones. */
  advance(milliseconds: number): void;
}

export function manualClock(startUs = 0): ManualClock {
  let now = startUs;
  const clock = () => now;
  return Object.assign(clock, {
    set(microseconds: number) {
      now = microseconds;
    },
    advance(milliseconds: number) {
      now += Math.round(milliseconds * 1000);
    },
  });
}
