/** A rule written as an object, for numbers that come from configuration. */
import { ALGORITHM_NAMES, type AlgorithmName, isAlgorithmName } from "../algorithm/registry.js";
import { LONGEST_SPAN } from "../duration.js";
import { shown } from "../errors.js";
import type { Cursor } from "./cursor.js";
import { didYouMean, RuleError } from "./diagnostic.js";
import { nearest } from "./nearest.js";
import { parseWhole } from "./parse.js";
import { type Placed, parsePrecision, parseSelectors, parseSpan } from "./parse-parts.js";
import { type Fail, type LimitDraft, resolve } from "./resolve.js";
import { combination, MOST_LIMITS, type Rule } from "./rule.js";

/** Spans as text (`"5m"`) or in milliseconds. */
export interface RuleObject {
  readonly selector?: string | undefined;
  readonly limit: number;
  readonly per: string | number;
  readonly precision?: string | number | undefined;
  readonly algorithm?: string | undefined;
  readonly burst?: number | undefined;
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

export function fromObject(input: RuleObject): Rule {
  checkProperties(input);
  const fail: Fail = (part, problem, replacement) => {
    const property = PROPERTY_OF[part];
    const suggestion = replacement === undefined ? "" : ` ${didYouMean(replacement)}`;
    throw new RuleError(
      `In the rule object, ${property}: ${shown(input[property])}. ${problem}${suggestion}`,
    );
  };
  const { selector, limit, per, precision, algorithm, burst } = input;
  const draft = {
    limit: wholeNumber(limit, "limit", fail),
    span: microseconds(per, "span", parseSpan, fail),
    precision:
      precision === undefined ? undefined : microseconds(precision, "precision", parsePrecision, fail),
    algorithm: algorithm === undefined ? undefined : algorithmName(algorithm, fail),
    burst: burst === undefined ? undefined : wholeNumber(burst, "burst", fail),
  };
  const tuples = selector === undefined ? [[]] : selectorTuples(selector, fail);
  return combination(
    "or",
    tuples.map((selectors) => resolve({ ...draft, selectors }, fail)),
  );
}

function checkProperties(input: RuleObject): void {
  for (const name of Object.keys(input)) {
    if ((PROPERTIES as readonly string[]).includes(name)) continue;
    const near = nearest(name, PROPERTIES);
    throw new RuleError(
      `A rule object has the properties ${PROPERTIES.join(", ")}, and this one has ${shown(name)}.` +
        (near === undefined ? "" : ` ${didYouMean(near)}`),
    );
  }
}

/** A list of selectors is an Or, as it is in text. */
function selectorTuples(value: unknown, fail: Fail): readonly (readonly string[])[] {
  if (typeof value !== "string") return fail("selectors", 'Expected text, such as "user" or "user+ip".');
  const tuples = parsePart(value, "selectors", parseSelectors, fail);
  return tuples.length <= MOST_LIMITS
    ? tuples
    : fail("selectors", `A rule has at most ${MOST_LIMITS} limits.`);
}

function algorithmName(value: unknown, fail: Fail): AlgorithmName {
  const name = typeof value === "string" ? value : "";
  if (isAlgorithmName(name)) return name;
  const expected = `Expected one of ${ALGORITHM_NAMES.join(", ")}.`;
  return fail("algorithm", expected, nearest(name, ALGORITHM_NAMES));
}

function wholeNumber(value: unknown, part: keyof LimitDraft, fail: Fail): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    return fail(part, "Expected a whole number of at least 0.");
  }
  if (value > Number.MAX_SAFE_INTEGER) return fail(part, `A count is at most ${Number.MAX_SAFE_INTEGER}.`);
  return Math.abs(value);
}

type ParsePart<T> = (cursor: Cursor) => Placed<T>;

function microseconds(value: unknown, part: keyof LimitDraft, parser: ParsePart<number>, fail: Fail): number {
  if (typeof value === "string") return parsePart(value, part, parser, fail);
  if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
    return fail(part, 'Expected a span as text, such as "5m", or as milliseconds.');
  }
  const whole = Math.round(value * 1000);
  if (whole / 1000 !== value && whole <= LONGEST_SPAN) {
    return fail(part, "A span is a whole number of microseconds (0.001 ms).");
  }
  return whole;
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
