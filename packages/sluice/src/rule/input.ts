/** What callers may give as a rule: text, an object, or a rule; and `and` / `or` of any of them. */
import { shown } from "../errors.js";
import { RuleError, ruleError } from "./diagnostic.js";
import { fromObject, type RuleObject } from "./object.js";
import { parse, type RuleSyntax } from "./parse.js";
import type { LimitSyntax } from "./parse-limit.js";
import { type Fail, resolve } from "./resolve.js";
import { combination, DEEPEST_NESTING, isRule, limitsOf, MOST_LIMITS, nestingOf, type Rule } from "./rule.js";

export type RuleInput = string | RuleObject | Rule;

/** Refuses only when all of the rules are over. */
export function and(...rules: readonly RuleInput[]): Rule {
  return combined("and", rules);
}

/** Refuses when any of the rules is over. */
export function or(...rules: readonly RuleInput[]): Rule {
  return combined("or", rules);
}

export function toRule(input: RuleInput): Rule {
  if (typeof input === "string") return resolveTree(parse(input), input);
  if (isRule(input)) return input;
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return fromObject(input);
  throw new RuleError(
    `A rule is text such as "user:10/5m", an object such as { selector: "user", limit: 10, per: "5m" }, ` +
      `or and(…) / or(…) of these, and this is ${shown(input)}.`,
  );
}

/** Each input is within bounds already and has at least one limit, so nothing here can grow large. */
function combined(kind: "and" | "or", inputs: readonly RuleInput[]): Rule {
  if (inputs.length === 0) throw new RuleError(`${kind}() needs at least one rule.`);
  if (inputs.length > MOST_LIMITS) throw tooManyLimits();
  const rule = combination(kind, inputs.map(toRule));
  if (limitsOf(rule).length > MOST_LIMITS) throw tooManyLimits();
  if (nestingOf(rule) > DEEPEST_NESTING) throw new RuleError(`Rules nest at most ${DEEPEST_NESTING} deep.`);
  return rule;
}

function tooManyLimits(): RuleError {
  return new RuleError(`A rule has at most ${MOST_LIMITS} limits.`);
}

function resolveTree(tree: RuleSyntax, text: string): Rule {
  if (tree.kind === "limit") return resolve(tree.draft, failAt(tree, text));
  return combination(
    tree.kind,
    tree.parts.map((part) => resolveTree(part, text)),
  );
}

function failAt({ places }: LimitSyntax, text: string): Fail {
  return (part, problem, replacement) => {
    throw ruleError(text, places[part], problem, replacement);
  };
}
