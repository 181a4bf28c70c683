import { describe, expect, test } from "vitest";
import { and, or, toRule } from "./input.js";
import { combination, isRule, limitsOf, nestingOf, type Rule } from "./rule.js";

const [a, b, c] = [toRule("a:1/s"), toRule("b:1/s"), toRule("c:1/s")];

test("only rules made here are rules", () => {
  expect(isRule(a)).toBe(true);
  expect(isRule(or(a, b))).toBe(true);
  for (const value of [{ ...a }, structuredClone(a), null, undefined, "1/s", () => a]) {
    expect(isRule(value)).toBe(false);
  }
});

test("a rule cannot be changed, at any depth", () => {
  const rule = and(or("user+ip:1/s", "2/s gcra"), "3/s:0.1");
  const frozen = (value: unknown): boolean =>
    typeof value !== "object" ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozen));
  expect(frozen(rule)).toBe(true);
});

describe("a combination is flat where it can be", () => {
  test.each<[string, Rule, readonly Rule[]]>([
    ["or of or", combination("or", [a, combination("or", [b, c])]), [a, b, c]],
    ["and of and", combination("and", [combination("and", [a, b]), c]), [a, b, c]],
  ])("%s", (_, rule, rules) => {
    expect(rule).toMatchObject({ rules });
  });

  test("and of one rule is that rule", () => {
    expect(combination("and", [a])).toBe(a);
  });
});

describe("a rule is measured", () => {
  test.each([
    ["a:1/s", 1, 0],
    ["a:1/s or b:1/s", 2, 0],
    ["a:1/s or b:1/s and c:1/s", 3, 0],
    ["a:1/s and (b:1/s or c:1/s)", 3, 1],
    ["a,b:1/s and c:1/s", 3, 1],
    ["1/s or 2/s and (3/s or 4/s and (5/s or 6/s))", 6, 2],
  ])("%s has %d limits and nests %d deep", (text, limits, nesting) => {
    expect(limitsOf(toRule(text))).toHaveLength(limits);
    expect(nestingOf(toRule(text))).toBe(nesting);
  });

  test("its limits in the order in which they are written", () => {
    const names = limitsOf(toRule("a:1/s or (b:1/s or c,d:1/s) and e:1/s")).map(({ selectors }) =>
      selectors.join(),
    );
    expect(names).toEqual(["a", "b", "c", "d", "e"]);
  });
});
