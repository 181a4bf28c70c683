/** Measures for how long this thread had work to do and could not run, which is nobody's answer time. */
import { readFileSync } from "node:fs";

const TICK_MS = 5;

export interface Span {
  readonly start: number;
  /** When it should have ended at the latest. */
  readonly due: number;
  readonly end: number;
}

/** How late a span became by starvation at its beginning and after it was due. */
export type DelayOf = (span: Span) => number;

/** Of this thread. Code of our own that blocks the event loop is not excused by it. */
export function watchStarvation(): Watch {
  let last = clocks();
  return watchStarvationBy(() => {
    const now = clocks();
    const queued = now.queuedMs - last.queuedMs;
    // Waiting for another thread, such as one that collects garbage, which is not given a processor either.
    const idle = now.instant - last.instant - TICK_MS - (now.computedMs - last.computedMs);
    last = now;
    return Math.max(0, queued, idle);
  });
}

export interface Watch {
  stop(): DelayOf;
}

/** Measures until stopped, by a function that tells for how many milliseconds it was since it was last asked. */
export function watchStarvationBy(starvedMs: () => number): Watch {
  const intervals: { readonly from: number; readonly to: number; readonly starvedMs: number }[] = [];
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    intervals.push({ from: last, to: now, starvedMs: starvedMs() });
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
          .reduce((sum, interval) => sum + interval.starvedMs, 0);
    },
  };
}

/** The time, what the process has computed, and how long this thread has queued for a processor. */
function clocks() {
  const { user, system } = process.cpuUsage();
  return { instant: performance.now(), computedMs: (user + system) / 1_000, queuedMs: queuedMs() };
}

/** The second number that Linux tells of a thread, in nanoseconds. Elsewhere it is not known. */
export function queuedMs(thread = "thread-self"): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
