/** A mistake in a configuration, and how it is shown: where it stands, the line, and carets under the place. */
import { maskedPart } from "./shown.js";

/** Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** How many characters are wrong, at least one. */
  readonly length: number;
}

export interface Mistake {
  readonly message: string;
  /** What to write instead, where that is known. */
  readonly suggestion?: string | undefined;
  /** Missing where it is the file as a whole. */
  readonly place?: Place | undefined;
  /** The line with carets under the place, and stars in the place of what may be a secret. */
  readonly excerpt?: string | undefined;
}

/** What `readConfig` answers instead of a configuration: all mistakes of the file, in its order. */
export interface ConfigMistakes {
  readonly fileName: string;
  readonly mistakes: readonly Mistake[];
}

export function isMistaken(result: object): result is ConfigMistakes {
  return "mistakes" in result;
}

/** What would not take exactly one column: control characters, marks on other letters. */
const INVISIBLE = /[\p{C}\p{M}\s]/gu;
const LONGEST_LINE = 100;

export function mistakesText({ fileName, mistakes }: ConfigMistakes): string {
  return mistakes.map((mistake) => mistakeText(fileName, mistake)).join("\n\n");
}

function mistakeText(fileName: string, { message, suggestion, place, excerpt }: Mistake): string {
  if (place === undefined) return `${fileName}: ${message}`;
  const text = `${fileName}:${place.line}:${place.column}: ${message}\n\n${excerpt}`;
  return suggestion === undefined ? text : `${text}\n\n  ${suggestion}`;
}

/** Of a long line the part around the carets. `limits` are names that may be shown. */
export function excerptOf(line: string, place: Place, limits: ReadonlySet<string>): string {
  const { line: number, column, length } = place;
  const start = column - 1;
  const from = line.length <= LONGEST_LINE ? 0 : Math.max(0, start - LONGEST_LINE / 2);
  const visible = maskedPart(line, from, Math.min(line.length, from + LONGEST_LINE), limits).replace(
    INVISIBLE,
    (character) => " ".repeat(character.length),
  );
  const gutter = `  ${number} | `;
  const carets = "^".repeat(Math.max(1, Math.min(length, visible.length - (start - from))));
  return `${gutter}${visible}\n${" ".repeat(gutter.length - 2)}| ${" ".repeat(start - from)}${carets}`;
}
