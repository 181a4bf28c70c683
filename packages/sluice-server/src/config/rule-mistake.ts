/** A mistake in a rule, taken apart so that it can be shown in the file the rule stands in. */
import { RuleError, toRule } from "sluice";
import type { Range } from "./finding.js";

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
    if (error instanceof RuleError) return takenApart(error);
    throw error;
  }
}

/** A message has the problem, the rule with carets, and perhaps a suggestion, with empty lines between. */
function takenApart({ message, position = 0 }: RuleError): RuleMistake {
  const [problem = message, excerpt = "", suggestion] = message.split("\n\n");
  const carets = /^ *(\^+)$/m.exec(excerpt)?.[1] ?? "^";
  return { message: problem, suggestion, range: { start: position, end: position + carets.length } };
}
