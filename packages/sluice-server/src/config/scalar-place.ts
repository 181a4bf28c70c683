/** From a place in a text's value to its place in the file, whatever quotes, escapes and line breaks lie between. */
import type { Scalar } from "yaml";
import type { Range } from "./finding.js";

/**
 * Quotes, folding and indentation change only white space, so that the letters of the value are found in the source by
 * counting. Where escapes make other letters, the place is that of the whole text.
 */
export function placeInScalar(scalar: Scalar, source: string, inValue: Range): Range {
  const [start = 0, end = 0] = scalar.range ?? [];
  const whole = { start, end };
  const letters = lettersIn(source, contentOf(scalar, source, whole));
  const value = String(scalar.value);
  if (letters.map((at) => source[at]).join("") !== value.replace(/\s/g, "")) return whole;
  const before = countLetters(value.slice(0, inValue.start));
  const within = countLetters(value.slice(inValue.start, inValue.end));
  const last = letters[before + within - 1];
  const first = letters[before] ?? (last === undefined ? start : last + 1);
  return { start: first, end: within === 0 || last === undefined ? first + 1 : last + 1 };
}

/** Without quotes, and without the line on which `|` or `>` stands. */
function contentOf({ type }: Scalar, source: string, { start, end }: Range): Range {
  if (type?.startsWith("QUOTE")) return { start: start + 1, end: end - 1 };
  if (!type?.startsWith("BLOCK")) return { start, end };
  const lineEnd = source.indexOf("\n", start);
  return { start: lineEnd < 0 ? end : lineEnd, end };
}

function lettersIn(source: string, { start, end }: Range): readonly number[] {
  const letters: number[] = [];
  for (let at = start; at < end; at += 1) if (!/\s/.test(source[at]!)) letters.push(at);
  return letters;
}

function countLetters(text: string): number {
  return text.replace(/\s/g, "").length;
}
