/** How far each algorithm may be from "never more than N in any span": the worst case, in numbers and in words. */
import type { Limit, Quota } from "sluice";
import { durationInWords, roughDuration, spanInWords } from "./duration.js";
import { grouped } from "./numbers.js";

export interface Accuracy {
  /** The most units that can be admitted in a window of one span, wherever it begins. */
  readonly mostInAnyWindow: number;
  readonly words: string;
}

export function accuracyOf({ algorithm, quota }: Limit): Accuracy {
  if (quota.limit === 0) return { mostInAnyWindow: 0, words: "Exact: everything is refused." };
  return WORST[algorithm](quota);
}

const WORST: Readonly<Record<Limit["algorithm"], (quota: Quota) => Accuracy>> = {
  "sliding-log": ({ limit, span }) => ({
    mostInAnyWindow: limit,
    words: `Exact: never more than ${grouped(limit)} in any ${spanInWords(span)}, to the microsecond.`,
  }),
  "sliding-window": ({ limit, span, precision = 0 }) => ({
    mostInAnyWindow: 2 * limit,
    words:
      `A unit is forgotten up to one bucket (${durationInWords(precision)}, ${shareOf(precision, span)} of the span) early. ` +
      (precision === span
        ? `At worst ${grouped(2 * limit)} in ${durationInWords(span)}.`
        : `Never more than ${grouped(limit)} in any ${spanInWords(span - precision)}; at worst, all at the end of ` +
          `a bucket and again when it dies, ${grouped(2 * limit)} in ${durationInWords(span)}.`),
  }),
  "fixed-window": ({ limit, span }) => ({
    mostInAnyWindow: 2 * limit,
    words:
      `Exact within its windows. Across a boundary up to ${grouped(2 * limit)} in ${durationInWords(span)}, ` +
      "and those may come in an instant.",
  }),
  "sliding-counter": ({ limit, span }) => ({
    mostInAnyWindow: 2 * limit - 1,
    words:
      "An estimate: it takes the requests of the previous window to have come evenly. " +
      `At worst ${grouped(2 * limit - 1)} in ${durationInWords(span)}, though never more than ${grouped(limit)} at once.`,
  }),
  gcra: ({ limit, span, burst = limit }) => ({
    mostInAnyWindow: burst + limit - 1,
    words:
      "Exact, and it never drifts. After a pause the burst comes on top of the rate: " +
      `up to ${grouped(burst + limit - 1)} in ${durationInWords(span)}.`,
  }),
  ar1: ({ limit, span, precision = span }) => {
    const most = Math.ceil(2 * limit + (span % precision === 0 ? 0 : (limit * precision) / span));
    return {
      mostInAnyWindow: most,
      words:
        `It has no window but a half-life, here ${halfLife(span, precision)}. ` +
        `At worst ${grouped(most)} in ${durationInWords(span)}; over a long time at most ${grouped(limit)}.`,
    };
  },
};

function shareOf(part: number, whole: number): string {
  return `${Number(((100 * part) / whole).toPrecision(2))} %`;
}

/** R · ln 2 / −ln a, with a = (D − R) / D. */
function halfLife(span: number, precision: number): string {
  if (precision === span) return "one slot";
  return roughDuration((precision * Math.LN2) / -Math.log((span - precision) / span));
}
