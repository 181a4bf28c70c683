/** What a rule counts by. */
import type { Limit, Rule } from "sluice";

/** The limits of a rule, in its order. */
export function limitsOf(rule: Rule): readonly Limit[] {
  return rule.kind === "limit" ? [rule] : rule.rules.flatMap(limitsOf);
}

/** The names of its selectors, in the order in which they first appear. */
export function selectorsOf(rule: Rule): readonly string[] {
  return [...new Set(limitsOf(rule).flatMap(({ selectors }) => selectors))];
}
