/** A mistake while it is looked for: by its place in the text, which becomes lines and columns in the end. */
import type { Mistake, Place } from "./mistake.js";

/** A stretch of a text, in characters from its start, end not included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Finding extends Pick<Mistake, "message" | "suggestion"> {
  /** Missing where it is the file as a whole. */
  readonly range?: Range | undefined;
}

/** Lines and columns of a text; of a stretch over several lines, the part on the first. */
export function placesIn(text: string): (range: Range) => Place {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return ({ start, end }) => {
    const line = lastAtMost(starts, start);
    const lineEnd = (starts[line + 1] ?? text.length + 1) - 1;
    const length = Math.max(1, Math.min(end, lineEnd) - start);
    return { line: line + 1, column: start - starts[line]! + 1, length };
  };
}

/** The index of the last of the ascending numbers that is no larger. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
