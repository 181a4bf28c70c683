/** Times as they stand at an axis or in a table. */
import { roughDuration } from "../explain/duration.js";

export function shortTime(milliseconds: number): string {
  return milliseconds === 0 ? "0 s" : roughDuration(milliseconds * 1000);
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** Round instants from 0 to the end, at most `most` of them. */
export function ticks(lengthMs: number, most: number): readonly number[] {
  const step = STEPS_MS.find((candidate) => lengthMs / candidate <= most) ?? lengthMs / most;
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
}
