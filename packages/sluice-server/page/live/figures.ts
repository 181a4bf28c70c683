/** Numbers of one subject over the last seconds, summed up and second by second. */
import type { History } from "./history.js";
import { keyOf, type Subject } from "./subject.js";

export interface Counts {
  readonly allowed: number;
  readonly refused: number;
  readonly shadowRefused: number;
  readonly fallback: number;
  readonly cache: number;
  /** Of the last second in which there were decisions. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

export interface Figures extends Counts {
  /** How many of the seconds are known. */
  readonly seconds: number;
}

const QUIET: Counts = {
  allowed: 0,
  refused: 0,
  shadowRefused: 0,
  fallback: 0,
  cache: 0,
  p50Ms: undefined,
  p99Ms: undefined,
};

/** Second by second; what was not asked in one has zeros there. */
export function countsOf(history: History, subject: Subject): readonly (Counts & { readonly at: number })[] {
  const key = keyOf(subject);
  return history.map(({ at, tallies }) => {
    const tally = tallies.get(key);
    if (tally === undefined) return { at, ...QUIET };
    const [allowed, refused, shadowRefused, fallback, cache, p50, p99] = tally;
    return { at, allowed, refused, shadowRefused, fallback, cache, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
  });
}

export function figuresOf(history: History, subject: Subject, seconds: number): Figures {
  const window = countsOf(lastOf(history, seconds), subject);
  const sum = { allowed: 0, refused: 0, shadowRefused: 0, fallback: 0, cache: 0 };
  let [p50Ms, p99Ms]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const counts of window) {
    sum.allowed += counts.allowed;
    sum.refused += counts.refused;
    sum.shadowRefused += counts.shadowRefused;
    sum.fallback += counts.fallback;
    sum.cache += counts.cache;
    p50Ms = counts.p50Ms ?? p50Ms;
    p99Ms = counts.p99Ms ?? p99Ms;
  }
  return { ...sum, seconds: window.length, p50Ms, p99Ms };
}

/** Of the last so many seconds, those that are known. */
export function lastOf(history: History, seconds: number): History {
  const newest = history[history.length - 1]?.at ?? 0;
  return history.filter(({ at }) => at > newest - seconds);
}

/** One value a second; null where the page was away or nothing was decided. */
export interface Columns {
  readonly at: number[];
  readonly allowed: (number | null)[];
  readonly refused: (number | null)[];
  readonly shadowRefused: (number | null)[];
  readonly p50Ms: (number | null)[];
  readonly p99Ms: (number | null)[];
}

/** A column for every second of the window, also for those that nobody knows. */
export function columnsOf(history: History, subject: Subject, seconds: number): Columns {
  const columns: Columns = { at: [], allowed: [], refused: [], shadowRefused: [], p50Ms: [], p99Ms: [] };
  const known = countsOf(lastOf(history, seconds), subject);
  const newest = known[known.length - 1]?.at ?? 0;
  let next = 0;
  for (let at = newest - seconds + 1; at <= newest; at += 1) {
    const counts = known[next]?.at === at ? known[next++] : undefined;
    columns.at.push(at);
    columns.allowed.push(counts?.allowed ?? null);
    columns.refused.push(counts?.refused ?? null);
    columns.shadowRefused.push(counts?.shadowRefused ?? null);
    columns.p50Ms.push(counts?.p50Ms ?? null);
    columns.p99Ms.push(counts?.p99Ms ?? null);
  }
  return columns;
}
