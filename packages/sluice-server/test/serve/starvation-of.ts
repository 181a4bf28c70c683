/** Measures for how long a process had work to do and could not run, which is nobody's answer time. */
import { readFileSync } from "node:fs";
import type { DelayOf } from "../../../sluice/test/redis-failures/starvation.js";

const TICK_MS = 5;

/** Measures until stopped, as the library's tests do for their own thread: at the beginning of a span and after it was due. */
export function watchStarvationOf(pid: number): { stop(): DelayOf } {
  const intervals: { readonly from: number; readonly to: number; readonly starvedMs: number }[] = [];
  const clocks = () => ({ instant: performance.now(), queuedMs: queuedMs(pid) });
  let last = clocks();
  const look = () => {
    const now = clocks();
    intervals.push({ from: last.instant, to: now.instant, starvedMs: now.queuedMs - last.queuedMs });
    last = now;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return ({ start, due, end }) =>
        intervals
          .filter(({ from, to }) => to > start && from < end && (from <= start + TICK_MS || to >= due))
          .reduce((sum, { starvedMs }) => sum + starvedMs, 0);
    },
  };
}

/** The second number that Linux tells of a thread, here of the main one, in nanoseconds. Elsewhere it is not known. */
function queuedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
