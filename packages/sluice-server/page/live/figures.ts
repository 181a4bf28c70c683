/** Numbers of one subject over the last seconds, summed up and second by second. */
import type { History } from "./history.js";
import { type Subject, tallyOf } from "./subject.js";

export interface Figures {
  /** How many of the seconds are known. */
  readonly seconds: number;
  readonly allowed: number;
  readonly refused: number;
  readonly shadowRefused: number;
  readonly fallback: number;
  readonly cache: number;
  /** Of the last second in which there were decisions. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

export function figuresOf(history: History, subject: Subject, seconds: number): Figures {
  const window = lastOf(history, seconds);
  const sum = { allowed: 0, refused: 0, shadowRefused: 0, fallback: 0, cache: 0 };
  let [p50Ms, p99Ms]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const second of window) {
    const tally = tallyOf(subject, second);
    sum.allowed += tally.allowed;
    sum.refused += tally.refused;
    sum.shadowRefused += tally.shadowRefused;
    sum.fallback += tally.fallback;
    sum.cache += tally.cache;
    if (tally.allowed + tally.refused > 0) [p50Ms, p99Ms] = [tally.p50Ms, tally.p99Ms];
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
  const known = lastOf(history, seconds);
  const newest = known[known.length - 1]?.at ?? 0;
  let next = 0;
  for (let at = newest - seconds + 1; at <= newest; at += 1) {
    const second = known[next]?.at === at ? known[next++] : undefined;
    const tally = second && tallyOf(subject, second);
    const decided = tally !== undefined && tally.allowed + tally.refused > 0;
    columns.at.push(at);
    columns.allowed.push(tally?.allowed ?? null);
    columns.refused.push(tally?.refused ?? null);
    columns.shadowRefused.push(tally?.shadowRefused ?? null);
    columns.p50Ms.push(decided ? tally.p50Ms : null);
    columns.p99Ms.push(decided ? tally.p99Ms : null);
  }
  return columns;
}
