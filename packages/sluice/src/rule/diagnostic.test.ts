import { describe, expect, test } from "vitest";
import { SluiceError } from "../errors.js";
import { RuleError, ruleError } from "./diagnostic.js";
import { toRule } from "./input.js";

function messageOf(text: string): string {
  try {
    toRule(text);
  } catch (error) {
    if (error instanceof RuleError) return error.message;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

describe("a mistake is shown whole", () => {
  test("with the nearest word", () => {
    expect(messageOf("10/sec")).toBe(`Expected a unit of time (ms, s, m, h, d, w), and got "sec".

  10/sec
     ^^^

Did you mean "10/s"?`);
  });

  test("in a longer rule", () => {
    expect(
      messageOf("10/s AND user:5/m"),
    ).toBe(`Expected "and", "or", "burst" or an algorithm (sliding-log, sliding-window, fixed-window, sliding-counter, gcra, ar1), and got "AND".

  10/s AND user:5/m
       ^^^

Did you mean "10/s and user:5/m"?`);
  });

  test("without a suggestion where there is none", () => {
    expect(messageOf("user:15:1.0")).toBe(`Expected a "/" and a span after the count, as in 10/s, and got ":".

  user:15:1.0
         ^`);
  });

  test("behind the end, where something is missing", () => {
    expect(messageOf("(10/s or 5/m")).toBe(`Expected a closing ")", "and" or "or", and got the end.

  (10/s or 5/m
              ^`);
  });

  test("of an empty text, too", () => {
    expect(messageOf("")).toBe("Expected a limit, such as 10/s or user:10/5m, and got the end.\n\n  \n  ^");
  });

  test("on one line, whatever the text breaks into", () => {
    expect(messageOf("10/s or\r\n\tuser:5/mins or\n1/h")).toBe(
      `Expected a unit of time (ms, s, m, h, d, w), and got "mins".

  10/s or   user:5/mins or 1/h
                   ^^^^

Did you mean "10/s or user:5/m or 1/h"?`,
    );
  });
});

describe("a long text is cut around the mistake", () => {
  const before = "user:10/s or ".repeat(20);
  const after = " or user:10/s".repeat(20);

  test.each([
    ["at its start", `10/sec${after}`, 3],
    ["in its middle", `${before}10/sec${after}`, before.length + 3],
    ["at its end", `${before}10/sec`, before.length + 3],
  ])("%s", (_, text, position) => {
    const [problem, , line = "", carets = "", , suggestion] = messageOf(text).split("\n");
    expect(problem).toContain('and got "sec".');
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line.slice(carets.indexOf("^"), carets.length)).toBe("sec");
    expect(line.startsWith("  …")).toBe(position > 60);
    expect(line.endsWith("…")).toBe(text.endsWith(after));
    expect(suggestion).toBe('Did you mean "s"?');
  });

  test("and so is a long word", () => {
    const [problem, , , carets = ""] = messageOf(`10/${"x".repeat(1000)}`).split("\n");
    expect(problem).toContain(`and got "${"x".repeat(30)}…".`);
    expect(carets).toBe(`     ${"^".repeat(73)}`);
    expect(messageOf(`10/${"x".repeat(30)}`)).toContain(`and got "${"x".repeat(30)}".`);
  });
});

test("characters without a column of their own do not move the caret", () => {
  const text = "a\u0000b\u{f0000}c\u0301\ud800d";
  const { message } = ruleError(text, { start: text.length - 1, end: text.length }, "Here.");
  expect(message).toBe("Here.\n\n  a b  c  d\n          ^");
});

test("the error says what it is, and keeps the text and the place for programs", () => {
  const error = ruleError("10/sec", { start: 3, end: 6 }, "Wrong.");
  expect(error).toBeInstanceOf(SluiceError);
  expect(error).toMatchObject({
    name: "RuleError",
    code: "SLUICE_BAD_RULE",
    text: "10/sec",
    position: 3,
    length: 3,
  });
});
