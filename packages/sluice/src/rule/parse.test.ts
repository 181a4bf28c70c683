import { describe, expect, test } from "vitest";
import { parse, type RuleSyntax } from "./parse.js";
import { DEEPEST_NESTING, MOST_LIMITS } from "./rule.js";

/** The tree with its limits by their selectors alone: `["or", "a", ["and", "b", "c"]]`. */
type Shape = string | readonly Shape[];

function shapeOf(tree: RuleSyntax): Shape {
  return tree.kind === "limit" ? tree.draft.selectors.join("+") : [tree.kind, ...tree.parts.map(shapeOf)];
}

describe("a tree of and / or, in which `and` binds tighter", () => {
  test.each<[string, Shape]>([
    ["a:1/s", "a"],
    ["a:1/s and b:1/s", ["and", "a", "b"]],
    ["a:1/s or b:1/s", ["or", "a", "b"]],
    ["a:1/s or b:1/s or c:1/s", ["or", "a", "b", "c"]],
    ["a:1/s and b:1/s or c:1/s", ["or", ["and", "a", "b"], "c"]],
    ["a:1/s or b:1/s and c:1/s", ["or", "a", ["and", "b", "c"]]],
    ["a:1/s and b:1/s or c:1/s and d:1/s", ["or", ["and", "a", "b"], ["and", "c", "d"]]],
    ["(a:1/s or b:1/s) and c:1/s", ["and", ["or", "a", "b"], "c"]],
    ["a:1/s and (b:1/s or c:1/s)", ["and", "a", ["or", "b", "c"]]],
    ["a:1/s or (b:1/s or c:1/s)", ["or", "a", ["or", "b", "c"]]],
    ["(((a:1/s)))", "a"],
    ["a+b:1/s", "a+b"],
    ["a,b:1/s", ["or", "a", "b"]],
    ["a,b:1/s and c:1/s", ["and", ["or", "a", "b"], "c"]],
    ["a:1/s ar1 and b:1/s burst 2 or c:1/s", ["or", ["and", "a", "b"], "c"]],
    ["and-more:1/s and orders:1/s", ["and", "and-more", "orders"]],
  ])("%s", (text, expected) => {
    expect(shapeOf(parse(text))).toEqual(expected);
  });
});

describe("a limit with its parts", () => {
  const nothing = { selectors: [], precision: undefined, algorithm: undefined, burst: undefined };

  test.each([
    ["10/s", { ...nothing, limit: 10, span: 1_000_000 }],
    ["user:10/5m", { ...nothing, selectors: ["user"], limit: 10, span: 300_000_000 }],
    ["a+b+c:0/1.5h", { ...nothing, selectors: ["a", "b", "c"], limit: 0, span: 5_400_000_000 }],
    ["apikey:5/s:0.1", { ...nothing, selectors: ["apikey"], limit: 5, span: 1_000_000, precision: 100_000 }],
    ["5/s:100ms", { ...nothing, limit: 5, span: 1_000_000, precision: 100_000 }],
    ["240/h:1m", { ...nothing, limit: 240, span: 3_600_000_000, precision: 60_000_000 }],
    ["10/s burst 20", { ...nothing, limit: 10, span: 1_000_000, burst: 20 }],
    ["10/s gcra burst 20", { ...nothing, limit: 10, span: 1_000_000, algorithm: "gcra", burst: 20 }],
    ["10/s burst 20 gcra", { ...nothing, limit: 10, span: 1_000_000, algorithm: "gcra", burst: 20 }],
    ["1/h:1 ar1", { ...nothing, limit: 1, span: 3_600_000_000, precision: 1_000_000, algorithm: "ar1" }],
    [
      "\n user\t: 010 / 5m : 1s ar1 ",
      {
        selectors: ["user"],
        limit: 10,
        span: 300_000_000,
        precision: 1_000_000,
        algorithm: "ar1",
        burst: undefined,
      },
    ],
    // Words of the language are names like any other where a selector stands.
    ["s:1/s", { ...nothing, selectors: ["s"], limit: 1, span: 1_000_000 }],
    ["burst+gcra:1/s", { ...nothing, selectors: ["burst", "gcra"], limit: 1, span: 1_000_000 }],
    ["AND:1/s", { ...nothing, selectors: ["AND"], limit: 1, span: 1_000_000 }],
    ["__proto__:1/s", { ...nothing, selectors: ["__proto__"], limit: 1, span: 1_000_000 }],
  ])("%j", (text, draft) => {
    expect(parse(text)).toMatchObject({ kind: "limit", draft });
  });

  test("and where each of them stands", () => {
    expect(parse(" user+ip : 10/5m:1s ar1 burst 3")).toMatchObject({
      places: {
        selectors: { start: 1, end: 8 },
        limit: { start: 11, end: 13 },
        span: { start: 14, end: 16 },
        precision: { start: 17, end: 19 },
        algorithm: { start: 20, end: 23 },
        burst: { start: 24, end: 31 },
      },
    });
  });
});

describe("the tree is bounded", () => {
  const nested = (depth: number, inner: string) => "(".repeat(depth) + inner + ")".repeat(depth);
  const limits = (count: number) => Array(count).fill("1/s").join(" or ");
  const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`).join(",");

  test.each([
    ["parentheses", nested(DEEPEST_NESTING, "1/s")],
    ["parentheses around a list", nested(DEEPEST_NESTING - 1, "a,b:1/s")],
    ["parentheses side by side", `${nested(DEEPEST_NESTING, "1/s")} or ${nested(DEEPEST_NESTING, "1/s")}`],
    ["limits", limits(MOST_LIMITS)],
    ["selectors of a list", `${names(MOST_LIMITS)}:1/s`],
  ])("%s up to the bound", (_, text) => {
    expect(() => parse(text)).not.toThrow();
  });

  test.each([
    ["parentheses", nested(DEEPEST_NESTING + 1, "1/s"), 32, "Rules nest at most 32 deep."],
    ["parentheses around a list", nested(DEEPEST_NESTING, "a,b:1/s"), 32, "Rules nest at most 32 deep."],
    [
      "parentheses later on",
      `2/s or ${nested(DEEPEST_NESTING + 1, "1/s")}`,
      39,
      "Rules nest at most 32 deep.",
    ],
    ["limits", limits(MOST_LIMITS + 1), 256 * "1/s or ".length, "A rule has at most 256 limits."],
    ["selectors of a list", `1/s and ${names(MOST_LIMITS)}:1/s`, 8, "A rule has at most 256 limits."],
  ])("%s beyond it", (_, text, position, problem) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ position, text }));
    expect(() => parse(text)).toThrow(problem);
  });
});
