/** What callers may give as a rule: text, an object, or a rule; and `and` / `or` of any of them. */
import { shown } from "../errors.js";
import type { Cursor } from "./cursor.js";
import { nearest, RuleError, ruleError } from "./diagnostic.js";
import { type LimitSyntax, parse, parseWhole, type RuleSyntax } from "./parse.js";
import { type Placed, parseDuration, parseSelectors, parseSpan } from "./parse-limit.js";
import { type Fail, type LimitDraft, resolve } from "./resolve.js";
import { combination, DEEPEST_NESTING, isRule, limitsOf, MOST_LIMITS, nestingOf, type Rule } from "./rule.js";

/** Spans as text (`"5m"`) or in milliseconds. */
export interface RuleObject {
  readonly selector?: string | undefined;
  readonly limit: number;
  readonly per: string | number;
  readonly precision?: string | number | undefined;
  readonly algorithm?: string | undefined;
  readonly burst?: number | undefined;
}

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

function combined(kind: "and" | "or", inputs: readonly RuleInput[]): Rule {
  if (inputs.length === 0) throw new RuleError(`${kind}() needs at least one rule.`);
  const rule = combination(kind, inputs.map(toRule));
  if (limitsOf(rule).length > MOST_LIMITS) throw new RuleError(`A rule has at most ${MOST_LIMITS} limits.`);
  if (nestingOf(rule) > DEEPEST_NESTING) throw new RuleError(`Rules nest at most ${DEEPEST_NESTING} deep.`);
  return rule;
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

const PROPERTIES = ["selector", "limit", "per", "precision", "algorithm", "burst"] as const;

/** The property of a rule object that a part of a draft comes from. */
const PROPERTY_OF: Readonly<Record<keyof LimitDraft, (typeof PROPERTIES)[number]>> = {
  selectors: "selector",
  limit: "limit",
  span: "per",
  precision: "precision",
  algorithm: "algorithm",
  burst: "burst",
};

function fromObject(input: RuleObject): Rule {
  for (const name of Object.keys(input)) {
    if ((PROPERTIES as readonly string[]).includes(name)) continue;
    const near = nearest(name, PROPERTIES);
    throw new RuleError(
      `A rule object has the properties ${PROPERTIES.join(", ")}, and this one has ${shown(name)}.` +
        (near === undefined ? "" : ` Did you mean ${near}?`),
    );
  }
  const fail: Fail = (part, problem, replacement) => {
    const property = PROPERTY_OF[part];
    throw new RuleError(
      `In the rule object, ${property}: ${shown(input[property])}. ${problem}` +
        (replacement === undefined ? "" : ` Did you mean ${replacement}?`),
    );
  };
  const draft = {
    limit: wholeNumber(input.limit, "limit", fail),
    span: microseconds(input.per, "span", parseSpan, fail),
    precision:
      input.precision === undefined ? undefined : microseconds(input.precision, "precision", parseDuration, fail),
    algorithm: input.algorithm === undefined ? undefined : text(input.algorithm, "algorithm", fail),
    burst: input.burst === undefined ? undefined : wholeNumber(input.burst, "burst", fail),
  };
  const groups =
    input.selector === undefined
      ? [[]]
      : parsePart(text(input.selector, "selectors", fail), "selectors", parseSelectors, fail);
  const limits = groups.map((selectors) => resolve({ ...draft, selectors }, fail));
  return combination("or", limits);
}

function text(value: unknown, part: keyof LimitDraft, fail: Fail): string {
  if (typeof value === "string") return value;
  return fail(part, "Expected text.");
}

function wholeNumber(value: unknown, part: keyof LimitDraft, fail: Fail): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value + 0;
  return fail(part, "Expected a whole number of at least 0.");
}

type ParsePart<T> = (cursor: Cursor) => Placed<T>;

function microseconds(value: unknown, part: keyof LimitDraft, parser: ParsePart<number>, fail: Fail): number {
  if (typeof value === "string") return parsePart(value, part, parser, fail);
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
    return fail(part, 'Expected a span as text, such as "5m", or as milliseconds.');
  }
  const exact = Math.round(value * 1000);
  if (exact / 1000 !== value || !Number.isSafeInteger(exact)) return fail(part, "A span is a whole number of microseconds (0.001 ms).");
  return exact;
}

/** One property's text; a mistake in it is shown under the property's name. */
function parsePart<T>(value: string, part: keyof LimitDraft, parser: ParsePart<T>, fail: Fail): T {
  try {
    return parseWhole(value, parser);
  } catch (error) {
    if (error instanceof RuleError) return fail(part, error.message);
    throw error;
  }
}
