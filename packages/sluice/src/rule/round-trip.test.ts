/** Parsing what was printed gives the rule again, and printing what was parsed has one form. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ALGORITHM_NAMES, ALGORITHMS } from "../algorithm/registry.js";
import { durationText, LONGEST_SPAN, MICROSECONDS } from "../duration.js";
import { RuleError } from "./diagnostic.js";
import { and, or, type RuleInput, toRule } from "./input.js";
import type { RuleObject } from "./object.js";
import { printRule } from "./print.js";
import { LONGEST_SELECTOR } from "./resolve.js";
import { MOST_LIMITS, type Rule } from "./rule.js";
import { LONGEST_TEXT } from "./tokenize.js";

/** Numbers that algorithms cannot hold are refused, which is another test's subject. */
function accepted(input: RuleInput): boolean {
  try {
    toRule(input);
    return true;
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,12}$/).filter((word) => word !== "and" && word !== "or"),
  fc.constantFrom("s", "burst", "gcra", "AND", "__proto__", "constructor", "a-", "_"),
);
const selector = fc
  .tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), fc.constantFrom("+", ","))
  .map(([names, joint]) => names.join(joint));
const count = fc.oneof(fc.nat(20), fc.nat(10_000_000), fc.maxSafeNat());
const span = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 100 }), fc.constantFrom(...Object.values(MICROSECONDS)))
    .map(([n, unit]) => n * unit),
  fc.integer({ min: 1, max: 10_000_000 }),
  fc.integer({ min: 1, max: LONGEST_SPAN }),
);

const limitObject: fc.Arbitrary<RuleObject> = fc
  .record({
    selector: fc.option(selector, { nil: undefined }),
    limit: count,
    span,
    share: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
    algorithm: fc.option(fc.constantFrom(...ALGORITHM_NAMES), { nil: undefined }),
    burst: fc.option(count, { nil: undefined }),
  })
  .map(({ selector, limit, span, share, algorithm, burst }): RuleObject => {
    const takes = algorithm === undefined ? ["precision"] : ALGORITHMS[algorithm].takes;
    const precision = share === undefined ? undefined : durationText(Math.ceil(span / share));
    return {
      selector,
      limit,
      per: durationText(span),
      algorithm,
      precision: takes.includes("precision") ? precision : undefined,
      burst: takes.includes("burst") ? burst : undefined,
    };
  })
  .filter(accepted);

const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    limitObject.map(toRule),
    fc
      .tuple(fc.constantFrom(and, or), fc.array(tie("rule"), { minLength: 1, maxLength: 4 }))
      .map(([join, rules]) => join(...rules)),
  ),
}));

test("parsing what was printed gives the rule", () => {
  fc.assert(
    fc.property(rule, (rule) => {
      expect(toRule(printRule(rule))).toStrictEqual(rule);
    }),
    { numRuns: 500 },
  );
});

test("every algorithm occurs among these rules", () => {
  const seen = new Set(
    fc.sample(limitObject, { numRuns: 500, seed: 1 }).map((object) => printRule(toRule(object))),
  );
  const algorithms = new Set(
    [...seen].flatMap((text) => {
      const limit = toRule(text);
      return limit.kind === "limit" ? [limit.algorithm] : [];
    }),
  );
  expect([...algorithms].sort()).toEqual([...ALGORITHM_NAMES].sort());
});

test("joining texts is joining rules", () => {
  fc.assert(
    fc.property(rule, rule, (left, right) => {
      const [a, b] = [printRule(left), printRule(right)];
      expect(toRule(`(${a}) and (${b})`)).toStrictEqual(and(left, right));
      expect(toRule(`${a} or ${b}`)).toStrictEqual(or(left, right));
    }),
  );
});

const space = fc.constantFrom("", " ", "\n\t ", "\u00a0");
const decimal = fc
  .tuple(fc.nat(500), fc.constantFrom("", ".0", ".5", ".25", ".001"))
  .map(([whole, fraction]) => `${whole}${fraction}`);
const unit = fc.constantFrom(...Object.keys(MICROSECONDS));
const option = fc.oneof(
  fc.constantFrom(...ALGORITHM_NAMES),
  fc.nat(50).map((burst) => `burst ${burst}`),
);

const limitText = fc
  .record({
    space,
    selector: fc.option(selector, { nil: "" }),
    count: fc.nat(1000),
    span: fc.tuple(fc.option(decimal, { nil: "" }), unit).map((parts) => parts.join("")),
    precision: fc.option(
      fc.tuple(decimal, fc.option(unit, { nil: "" })).map((parts) => parts.join("")),
      { nil: "" },
    ),
    options: fc.array(option, { maxLength: 2 }),
  })
  .map(({ space, selector, count, span, precision, options }) =>
    [
      ...(selector === "" ? [] : [selector.replaceAll(/([+,])/g, `${space}$1${space}`), ":"]),
      ...[count, "/", span],
      ...(precision === "" ? [] : [":", precision]),
      ...options.map((option) => ` ${option}`),
    ].join(space),
  )
  .filter(accepted);

const { text } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    limitText,
    fc
      .tuple(tie("text"), fc.constantFrom(" and ", " or ", "\nor\n"), tie("text"))
      .map((parts) => parts.join("")),
    fc.tuple(space, tie("text"), space).map(([before, text, after]) => `(${before}${text}${after})`),
  ),
}));

test("printing what was parsed is a fixed point, and means the same", () => {
  fc.assert(
    fc.property(text, (text) => {
      const rule = toRule(text);
      const printed = printRule(rule);
      expect(toRule(printed)).toStrictEqual(rule);
      expect(printRule(toRule(printed))).toBe(printed);
    }),
    { numRuns: 500 },
  );
});

test("even the longest rule prints to text that can be parsed", () => {
  const widest = durationText(LONGEST_SPAN - 1);
  const limit: RuleObject = {
    selector: "x".repeat(LONGEST_SELECTOR),
    limit: Number.MAX_SAFE_INTEGER,
    per: widest,
    precision: widest,
    algorithm: "ar1",
  };
  const pair = or(limit, limit);
  const rule = and(...Array<Rule>(MOST_LIMITS / 2).fill(pair));
  expect(printRule(rule).length).toBeLessThan(LONGEST_TEXT);
  expect(toRule(printRule(rule))).toStrictEqual(rule);
});
