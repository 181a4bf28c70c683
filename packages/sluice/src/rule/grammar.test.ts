/** Runs every example of GRAMMAR.md, and holds its lists and bounds against the code. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../algorithm/registry.js";
import { LONGEST_SPAN, MICROSECONDS } from "../duration.js";
import { RuleError } from "./diagnostic.js";
import { and, or, toRule } from "./input.js";
import { printRule } from "./print.js";
import { LONGEST_SELECTOR } from "./resolve.js";
import { DEEPEST_NESTING, MOST_LIMITS, type Rule } from "./rule.js";
import { LONGEST_TEXT } from "./tokenize.js";

const page = readFileSync(new URL("GRAMMAR.md", import.meta.url), "utf8");

/** The lines of all fenced blocks of one kind, without the empty ones at the end. */
function linesOf(kind: string): readonly string[] {
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((block) => block[1] === kind);
  return blocks.flatMap((block) => block[2]!.trimEnd().split("\n"));
}

/** Each line cut by a pattern; a line that does not fit is a mistake in the page. */
function examplesIn(lines: readonly string[], pattern: RegExp): readonly (readonly [string, string])[] {
  return lines.map((line) => {
    const [, left, right] = pattern.exec(line) ?? [];
    if (left === undefined || right === undefined) throw new Error(`not an example: ${line}`);
    return [left, right];
  });
}

function refusalOf(make: () => Rule): RuleError {
  try {
    make();
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
  throw new Error("not refused");
}

test("the page has blocks of the known kinds only, and examples in each", () => {
  const kinds = [...page.matchAll(/^```(\w+)$/gm)].map((fence) => fence[1]);
  expect(new Set(kinds)).toEqual(new Set(["rule", "ebnf", "ts", "refused"]));
  for (const kind of new Set(kinds)) expect(linesOf(kind!).length).toBeGreaterThan(5);
});

describe("what a text means", () => {
  test.each(examplesIn(linesOf("rule"), /^(.+?) +→ (.+)$/))("%s is %s", (text, canonical) => {
    expect(printRule(toRule(text))).toBe(canonical);
    expect(toRule(canonical)).toStrictEqual(toRule(text));
  });
});

describe("what is refused", () => {
  const lines = linesOf("refused");
  const refusals = lines.flatMap((line, index) => {
    const [, space, carets, problem] = /^( *)(\^+) (.+)$/.exec(line) ?? [];
    return carets === undefined ? [] : [{ text: lines[index - 1]!, carets: `${space}${carets}`, problem }];
  });

  test("every line of the blocks is one of them", () => {
    const texts = lines.filter((line) => line !== "");
    expect(refusals.length * 2).toBe(texts.length + refusals.filter(({ text }) => text === "").length);
  });

  test.each(refusals)("$text", ({ text, carets, problem }) => {
    const error = refusalOf(() => toRule(text));
    const [first, , line, marks, , suggestion] = error.message.split("\n");
    expect([line, marks]).toEqual([`  ${text}`, `  ${carets}`]);
    expect([first, suggestion].filter(Boolean).join(" ")).toBe(problem);
    expect(error.position).toBe(carets.indexOf("^"));
  });
});

describe("what is written in code", () => {
  test.each(examplesIn(linesOf("ts"), /^(.+?) +\/\/ (.+)$/))("%s is %s", (code, expected) => {
    const make = () => new Function("and", "or", "toRule", `return ${code}`)(and, or, toRule) as Rule;
    if (expected.startsWith("✗ ")) expect(`✗ ${refusalOf(make).message}`).toBe(expected);
    else expect(printRule(make())).toBe(expected);
  });
});

describe("the grammar and the bounds are those of the code", () => {
  const wordsOf = (production: string) => {
    const line = linesOf("ebnf").find((line) => line.startsWith(`${production} `)) ?? "";
    return [...line.matchAll(/"([^"]+)"/g)].map((word) => word[1]);
  };

  test("its algorithms and units", () => {
    expect(wordsOf("algorithm")).toEqual([...ALGORITHM_NAMES]);
    expect(wordsOf("unit")).toEqual(Object.keys(MICROSECONDS));
  });

  test.each([
    ["characters of a text", LONGEST_TEXT],
    ["limits of a rule", MOST_LIMITS],
    ["parentheses, one in another", DEEPEST_NESTING],
    ["characters of a selector", LONGEST_SELECTOR],
    ["a count", Number.MAX_SAFE_INTEGER],
    ["a span", LONGEST_SPAN / MICROSECONDS.d],
  ])("%s", (what, bound) => {
    const row = page.split("\n").find((line) => line.startsWith(`| ${what}`));
    expect(row).toMatch(
      new RegExp(`\\b${bound.toLocaleString("en-US")}\\b|\\b${bound.toLocaleString("en-US")}d\\b`),
    );
  });
});
