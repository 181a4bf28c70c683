/** What the sliders can be set to: round values, each a little more than the one before. */
import { durationInWords, parseDuration, spanInWords } from "../../src/explain/duration.js";
import { grouped } from "../../src/explain/numbers.js";

/** The places of one slider: text as it is written, and a number to find the nearest by. */
export interface Steps {
  readonly texts: readonly string[];
  amountOf(text: string): number | undefined;
  /** What a person reads beside the slider. */
  inWords(text: string): string;
}

const upTo = (most: number, unit: string) =>
  [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000]
    .filter((count) => count <= most)
    .map((count) => `${count}${unit}`);

export const RATES: Steps = {
  texts: [...upTo(50, "/h"), ...upTo(50, "/m"), ...upTo(1000, "/s")],
  amountOf(text) {
    const [, count, span = ""] = /^([\d.]+)\/([\w.]+)$/.exec(text.trim()) ?? [];
    const microseconds = parseDuration(span);
    return count === undefined || microseconds === undefined ? undefined : Number(count) / microseconds;
  },
  inWords(text) {
    const [count, span = ""] = text.split("/");
    const microseconds = parseDuration(span);
    return microseconds === undefined ? text : `${count} per ${spanInWords(microseconds)}`;
  },
};

export const SIZES: Steps = {
  texts: upTo(1000, ""),
  amountOf: (text) => Number(text) || undefined,
  inWords: (text) => `${grouped(Number(text))} at once`,
};

const SPANS = [
  ..."100ms 200ms 500ms 1s 2s 3s 5s 10s 15s 20s 30s 45s 1m 2m 3m 5m 10m 15m 20m 30m 45m".split(" "),
  ..."1h 2h 3h 6h 12h 1d 2d 3d 1w".split(" "),
];

export const PAUSES: Steps = { texts: SPANS, amountOf: parseDuration, inWords: durationWords };

export const LENGTHS: Steps = {
  texts: SPANS.slice(SPANS.indexOf("1s")),
  amountOf: parseDuration,
  inWords: durationWords,
};

function durationWords(text: string): string {
  const microseconds = parseDuration(text);
  return microseconds === undefined ? text : durationInWords(microseconds);
}

/** The text itself, or what the slider stands at where it says nothing. */
export function readable(steps: Steps, text: string): string {
  return steps.amountOf(text) === undefined ? steps.texts[placeOf(steps, text)]! : text;
}

/** The place nearest to a text, by the ratio of their values; the first where it says nothing. */
export function placeOf({ texts, amountOf }: Steps, text: string): number {
  const wanted = amountOf(text);
  if (wanted === undefined) return 0;
  const distances = texts.map((step) => Math.abs(Math.log(amountOf(step)! / wanted)));
  return distances.indexOf(Math.min(...distances));
}
