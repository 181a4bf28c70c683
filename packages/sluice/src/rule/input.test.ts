import { describe, expect, test } from "vitest";
import { RuleError } from "./diagnostic.js";
import { and, or, type RuleInput, toRule } from "./input.js";
import { printRule } from "./print.js";
import { DEEPEST_NESTING, MOST_LIMITS, type Rule } from "./rule.js";

describe("and() and or() take text, objects and each other", () => {
  test.each<[string, Rule, string]>([
    ["text", or("ip:5/m", "user:20/h"), "ip:5/m or user:20/h"],
    ["an object", and("ip:5/m", { selector: "user", limit: 20, per: "h" }), "ip:5/m and user:20/h"],
    ["each other", and("1/s", or("2/s", "3/s")), "1/s and (2/s or 3/s)"],
    ["text that is joined itself", and("1/s or 2/s", "3/s"), "(1/s or 2/s) and 3/s"],
    ["one rule, which stays as it is", and("1/s"), "1/s"],
    ["one joined rule, which stays as it is", and("1/s or 2/s"), "1/s or 2/s"],
    ["the same kind again, made flat", or("1/s", or("2/s", "3/s or 4/s")), "1/s or 2/s or 3/s or 4/s"],
  ])("%s", (_, rule, text) => {
    expect(printRule(rule)).toBe(text);
    expect(rule).toStrictEqual(toRule(text));
  });
});

test("a rule is taken as it is", () => {
  const rule = or("1/s", "2/s");
  expect(toRule(rule)).toBe(rule);
  expect(or(rule)).toBe(rule);
});

test("and() and or() of nothing are refused", () => {
  expect(() => and()).toThrow(new RuleError("and() needs at least one rule."));
  expect(() => or()).toThrow(new RuleError("or() needs at least one rule."));
});

test("a mistake in one of many texts is shown in that text", () => {
  expect(() => or("1/s", and("2/s", "3/sec"))).toThrow(
    expect.objectContaining({ text: "3/sec", position: 2 }),
  );
});

describe("anything else is not a rule", () => {
  test.each([
    [undefined, "undefined"],
    [null, "null"],
    [10, "10"],
    [["10/s", "5/m"], "an array"],
    [() => "10/s", "a function"],
    [Symbol("10/s"), "a symbol"],
  ])("%s", (input, shown) => {
    expect(() => toRule(input as unknown as RuleInput)).toThrow(`and this is ${shown}.`);
    expect(() => or("1/s", input as unknown as RuleInput)).toThrow(RuleError);
  });
});

describe("a rule made in code is bounded like text", () => {
  const TOO_MANY = new RuleError("A rule has at most 256 limits.");
  const TOO_DEEP = new RuleError("Rules nest at most 32 deep.");
  const repeated = (count: number) => Array<RuleInput>(count).fill("1/s");

  /** And and Or in turn, each the last part of the one around it. */
  function alternating(levels: number): Rule {
    let rule = toRule("1/s");
    for (let level = 0; level < levels; level += 1)
      rule = level % 2 === 0 ? or("1/s", rule) : and("1/s", rule);
    return rule;
  }

  test("in the number of its limits", () => {
    expect(() => or(...repeated(MOST_LIMITS))).not.toThrow();
    expect(() => or(...repeated(MOST_LIMITS + 1))).toThrow(TOO_MANY);
    expect(() => or(...repeated(100_000))).toThrow(TOO_MANY);
    const large = or(...repeated(MOST_LIMITS));
    expect(() => and(...Array<Rule>(MOST_LIMITS).fill(large))).toThrow(TOO_MANY);
    expect(() => and(large, "1/s")).toThrow(TOO_MANY);
  });

  test("in its nesting, counted as the parentheses of its text", () => {
    const deepest = alternating(2 * DEEPEST_NESTING + 1);
    expect(printRule(deepest).split("(")).toHaveLength(DEEPEST_NESTING + 1);
    expect(toRule(printRule(deepest))).toStrictEqual(deepest);
    expect(() => alternating(2 * DEEPEST_NESTING + 2)).toThrow(TOO_DEEP);
    expect(() => alternating(10_000)).toThrow(TOO_DEEP);
  });

  test("also where the deep part came as text", () => {
    const deepest = printRule(alternating(2 * DEEPEST_NESTING + 1));
    expect(() => or("1/s", deepest)).not.toThrow();
    expect(() => and("1/s", deepest)).toThrow(TOO_DEEP);
    expect(() => toRule(`1/s and (${deepest})`)).toThrow(TOO_DEEP.message);
  });
});
