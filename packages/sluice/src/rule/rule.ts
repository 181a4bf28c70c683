/** What a rule is: a limit, or And / Or of rules. Immutable, and made only here. */
import type { Quota } from "../algorithm/algorithm.js";
import type { AlgorithmName } from "../algorithm/registry.js";

export interface Limit {
  readonly kind: "limit";
  /** What it counts by, as a tuple: `user+ip` has two names, a limit on all calls has none. */
  readonly selectors: readonly string[];
  readonly algorithm: AlgorithmName;
  readonly quota: Quota;
}

/** And refuses when all of its rules are over, Or when any is. */
export interface Combination {
  readonly kind: "and" | "or";
  readonly rules: readonly Rule[];
}

export type Rule = Limit | Combination;

export const MOST_LIMITS = 256;
export const DEEPEST_NESTING = 32;

/** Every rule made here, so that an object which only looks like one is checked like any other input. */
const made = new WeakSet<object>();

export function isRule(value: unknown): value is Rule {
  return typeof value === "object" && value !== null && made.has(value);
}

function register<R extends Rule>(rule: R): R {
  made.add(Object.freeze(rule));
  return rule;
}

export function limitRule(parts: Omit<Limit, "kind">): Limit {
  return register({
    kind: "limit",
    selectors: Object.freeze([...parts.selectors]),
    algorithm: parts.algorithm,
    quota: Object.freeze({ ...parts.quota }),
  });
}

/** Flat where it can be: Or of Or is one Or, and a combination of one rule is that rule. */
export function combination(kind: "and" | "or", rules: readonly Rule[]): Rule {
  if (rules.length === 1) return rules[0]!;
  const flat = rules.flatMap((rule) => (rule.kind === kind ? rule.rules : [rule]));
  return register({ kind, rules: Object.freeze(flat) });
}

export function limitsOf(rule: Rule): readonly Limit[] {
  return rule.kind === "limit" ? [rule] : rule.rules.flatMap(limitsOf);
}

/** The names that a rule counts by, in the order in which they first appear. */
export function selectorsOf(rule: Rule): readonly string[] {
  return [...new Set(limitsOf(rule).flatMap(({ selectors }) => selectors))];
}

/** How deep the parentheses nest in its text: an Or inside an And needs a pair. */
export function nestingOf(rule: Rule): number {
  if (rule.kind === "limit") return 0;
  return Math.max(
    ...rule.rules.map((part) => nestingOf(part) + (rule.kind === "and" && part.kind === "or" ? 1 : 0)),
  );
}
