/** A mistake in a rule, taken apart so that it can be shown in the file the rule stands in. */
import { RuleError, toRule } from "sluice";
import type { Range } from "./finding.js";
import { isHarmless } from "./shown.js";

export interface RuleMistake {
  readonly message: string;
  readonly suggestion: string | undefined;
  /** In the rule's text. */
  readonly range: Range;
}

export function mistakeInRule(text: string): RuleMistake | undefined {
  try {
    toRule(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const { problem, suggestion, position: start = 0, length = 0 } = error;
    const range = { start, end: start + Math.max(1, length) };
    if (isHarmless(text)) return { message: problem, suggestion, range };
    return { message: problem.replace(/, and got ".*$/s, "."), suggestion: undefined, range };
  }
}
