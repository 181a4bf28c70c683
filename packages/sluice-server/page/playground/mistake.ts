/** What is wrong with a rule or its traffic, in parts that can be sent and shown. */
import { RuleError } from "sluice";
import type { Mistake } from "./worker-messages.js";

export function mistakeOf(error: unknown, where: Mistake["where"]): Mistake {
  if (!(error instanceof Error)) throw error;
  if (!(error instanceof RuleError)) {
    return { where, problem: error.message, excerpt: undefined, suggestion: undefined };
  }
  const { message, problem, suggestion, position } = error;
  const end = suggestion === undefined ? message.length : message.length - suggestion.length;
  const excerpt =
    position === undefined ? undefined : message.slice(problem.length, end).replace(/^\n+|\n+$/g, "");
  return { where, problem, excerpt, suggestion };
}
