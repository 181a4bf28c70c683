/** What is offered to a limit: requests on a time axis, the same ones every time they are asked for. */

export interface Arrival {
  /** Microseconds since the traffic began. */
  readonly at: number;
  readonly cost: number;
  /** Who asks: the value of every selector of the rule. */
  readonly key: string;
}

export interface Traffic {
  /** As it is written: `poisson:20/s,7`, or the name of a trace. */
  readonly text: string;
  /** What the clock shows when it begins, in microseconds; windows of the clock are aligned to that. */
  readonly startUs: number;
  /** How long it goes on by itself; undefined where it never ends. */
  readonly lengthUs: number | undefined;
  /** About how many arrivals there are in so many microseconds. */
  expected(lengthUs: number): number;
  /** In order, each before `lengthUs`. */
  arrivals(lengthUs: number): Iterable<Arrival>;
}

/** Traffic that cannot be read, or is too much to play. */
export class TrafficError extends Error {
  override readonly name = "TrafficError";
}

export const ONLY_KEY = "one";
