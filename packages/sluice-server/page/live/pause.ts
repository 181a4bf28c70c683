/** How long to wait before the next try: longer after each failure up to a bound, and never the same for all pages. */

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** `random` is from 0 to 1. */
export function pauseAfter(failures: number, random: number): number {
  const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 16));
  return Math.round(pause * (0.5 + random / 2));
}
