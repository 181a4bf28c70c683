/** How a mistake in a rule is shown: the text, a caret under the mistake, what was expected. */
import { SluiceError } from "../errors.js";

export class RuleError extends SluiceError {
  readonly code = "SLUICE_BAD_RULE";

  constructor(
    message: string,
    /** The rule as it was given, when it was text. */
    readonly text?: string,
    /** Where the mistake is, in characters from the start of the text. */
    readonly position?: number,
  ) {
    super(message);
  }
}

/** A stretch of the rule's text, end not included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const LINE = 76;
const LONGEST_SUGGESTION = 200;

/** A line of the text around the mistake, and a line with carets under it. */
function excerpt(text: string, { start, end }: Range): string {
  const from = text.length <= LINE ? 0 : Math.max(0, Math.min(start - LINE / 2, text.length - LINE));
  const to = Math.min(text.length, from + LINE);
  const before = from > 0 ? "…" : "";
  const after = to < text.length ? "…" : "";
  const line = before + text.slice(from, to).replace(/[\p{C}\s]/gu, " ") + after;
  const carets = "^".repeat(Math.max(1, Math.min(end, to) - start));
  return `  ${line}\n  ${" ".repeat(before.length + start - from)}${carets}`;
}

export function ruleError(text: string, range: Range, problem: string, replacement?: string): RuleError {
  let message = `${problem}\n\n${excerpt(text, range)}`;
  if (replacement !== undefined) {
    const mended = text.slice(0, range.start) + replacement + text.slice(range.end);
    message += `\n\nDid you mean ${mended.length <= LONGEST_SUGGESTION ? mended : replacement}?`;
  }
  return new RuleError(message, text, range.start);
}

/** Words that people write for ours. */
const SYNONYMS: Readonly<Record<string, string>> = {
  sec: "s",
  secs: "s",
  second: "s",
  seconds: "s",
  min: "m",
  mins: "m",
  minute: "m",
  minutes: "m",
  hr: "h",
  hrs: "h",
  hour: "h",
  hours: "h",
  day: "d",
  days: "d",
  week: "w",
  weeks: "w",
  msec: "ms",
  millis: "ms",
  millisecond: "ms",
  milliseconds: "ms",
  log: "sliding-log",
  window: "sliding-window",
  counter: "sliding-counter",
  fixed: "fixed-window",
  bucket: "gcra",
  "token-bucket": "gcra",
  "leaky-bucket": "gcra",
};

/** The known word nearest to a mistaken one, if any is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase().slice(0, 40);
  const synonym = Object.hasOwn(SYNONYMS, lower) ? SYNONYMS[lower] : undefined;
  if (synonym !== undefined && known.includes(synonym)) return synonym;
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.ceil(lower.length / 2));
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
