/** How a mistake in a rule is shown: the text, a caret under the mistake, what was expected. */
import { SluiceError } from "../errors.js";

export class RuleError extends SluiceError {
  readonly code = "SLUICE_BAD_RULE";

  /** The rule as it was given, when it was text. */
  readonly text: string | undefined;
  /** Where the mistake is, in characters from the start of the text, and how many it takes. */
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** The first line of the message: what is wrong, without the text around it. */
  readonly problem: string;
  /** A sentence that names what was probably meant. */
  readonly suggestion: string | undefined;

  constructor(problem: string, mistake?: Mistake) {
    super(mistake === undefined ? problem : messageOf(problem, mistake));
    this.problem = problem;
    this.text = mistake?.text;
    this.position = mistake?.range.start;
    this.length = mistake && mistake.range.end - mistake.range.start;
    this.suggestion = mistake?.suggestion;
  }
}

interface Mistake {
  readonly text: string;
  readonly range: Range;
  readonly suggestion: string | undefined;
}

/** A stretch of the rule's text, end not included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const LINE = 76;
const LONGEST_SUGGESTION = 200;

/** What would not take exactly one column: control characters, line breaks, marks on other letters. */
const INVISIBLE = /[\p{C}\p{M}\s]/gu;

/** A line of the text around the mistake, and a line with carets under it. */
function excerpt(text: string, { start, end }: Range): string {
  const from = text.length <= LINE ? 0 : Math.max(0, Math.min(start - LINE / 2, text.length - LINE));
  const to = Math.min(text.length, from + LINE);
  const before = from > 0 ? "…" : "";
  const after = to < text.length ? "…" : "";
  const visible = text.slice(from, to).replace(INVISIBLE, (character) => " ".repeat(character.length));
  const carets = "^".repeat(Math.max(1, Math.min(end, to) - start));
  return `  ${before}${visible}${after}\n  ${" ".repeat(before.length + start - from)}${carets}`;
}

export function didYouMean(replacement: string): string {
  return `Did you mean "${replacement}"?`;
}

/** The replacement stands for the text in the range; the whole rule is shown with it where it is short. */
export function ruleError(text: string, range: Range, problem: string, replacement?: string): RuleError {
  if (replacement === undefined) return new RuleError(problem, { text, range, suggestion: undefined });
  const mended = text.slice(0, range.start) + replacement + text.slice(range.end);
  const short = mended.length <= LONGEST_SUGGESTION;
  const suggestion = didYouMean(short ? mended.trim().replace(/\s+/g, " ") : replacement);
  return new RuleError(problem, { text, range, suggestion });
}

function messageOf(problem: string, { text, range, suggestion }: Mistake): string {
  const parts = [problem, excerpt(text, range)];
  return (suggestion === undefined ? parts : [...parts, suggestion]).join("\n\n");
}
