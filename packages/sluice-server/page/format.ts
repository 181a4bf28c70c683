/** Numbers and times as the page shows them. */
import { roughDuration } from "../src/explain/duration.js";
import { grouped } from "../src/explain/numbers.js";

export const NOTHING = "–";

/** Small rates with a decimal, since 0.3 a second is not nothing. */
export function rate(perSecond: number): string {
  return perSecond < 10 ? grouped(Math.round(perSecond * 10) / 10) : grouped(Math.round(perSecond));
}

export function latency(milliseconds: number | undefined): string {
  return milliseconds === undefined ? NOTHING : roughDuration(Math.max(1, Math.round(milliseconds * 1000)));
}

/** A wait as a decision tells it; JSON has no infinity, so null is one. */
export function wait(milliseconds: number | null): string {
  if (milliseconds === null) return "never";
  return milliseconds === 0 ? "now" : `in ${roughDuration(milliseconds * 1000)}`;
}

/** Local time of day; `at` is in seconds. */
export function clock(at: number): string {
  return new Date(at * 1000).toLocaleTimeString("en-GB");
}

/** `1 second`, `3 seconds`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Axis labels: 1,200 as 1.2k, so that they stay narrow. */
export function compact(value: number): string {
  return value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 });
}
