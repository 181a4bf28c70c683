import { describe, expect, test } from "vitest";
import { LONGEST_TEXT, tokenize } from "./tokenize.js";

const kindsOf = (text: string) => tokenize(text).map((token) => `${token.kind} ${token.text}`.trim());

describe("text is cut into numbers, words and signs", () => {
  test.each<[string, readonly string[]]>([
    ["", ["end"]],
    [" \t\r\n\u00a0\u3000\ufeff", ["end"]],
    ["10/s", ["number 10", "/ /", "word s", "end"]],
    ["10/5m", ["number 10", "/ /", "number 5", "word m", "end"]],
    ["0.25", ["number 0.25", "end"]],
    ["user_id-2", ["word user_id-2", "end"]],
    ["_a", ["word _a", "end"]],
    ["ab+c,d:", ["word ab", "+ +", "word c", ", ,", "word d", ": :", "end"]],
    ["((a))", ["( (", "( (", "word a", ") )", ") )", "end"]],
    ["1a1", ["number 1", "word a1", "end"]],
  ])("%j", (text, expected) => {
    expect(kindsOf(text)).toEqual(expected);
  });

  test("each with its place", () => {
    expect(tokenize(" user : 10")).toEqual([
      { kind: "word", text: "user", start: 1, end: 5 },
      { kind: ":", text: ":", start: 6, end: 7 },
      { kind: "number", text: "10", start: 8, end: 10 },
      { kind: "end", text: "", start: 10, end: 10 },
    ]);
  });
});

describe("what is neither is refused where it stands", () => {
  const MADE_OF =
    "A rule is made of names (letters a to z, digits, _ and -), numbers and : / + , ( ), and this is";
  const NEGATIVE = "Numbers in a rule are never negative.";
  const DIGITS = "A number begins and ends with a digit, as in 0.5.";
  const JOINED = 'Rules are joined by "or", which refuses when any is over, or "and", only when all are.';

  test.each([
    ["-1/s", 0, NEGATIVE],
    ["10/-5s", 3, NEGATIVE],
    ["10/s:-0.1", 5, NEGATIVE],
    ["10-20/s", 2, `${MADE_OF} "-".`],
    ["10/s - 5/m", 5, `${MADE_OF} "-".`],
    [".5/s", 0, DIGITS],
    ["10/s:.5", 5, DIGITS],
    ["10/5.s", 4, DIGITS],
    ["1.2.3/s", 3, DIGITS],
    ["user.id:10/s", 4, `${MADE_OF} ".".`],
    ["user.1:10/s", 4, `${MADE_OF} ".".`],
    ["10/s & 5/m", 5, JOINED],
    ["10/s && 5/m", 5, JOINED],
    ["10/s || 5/m", 5, JOINED],
    ['"10/s"', 0, `${MADE_OF} "\\"".`],
    ["10/s;", 4, `${MADE_OF} ";".`],
    ["größe:1/s", 2, `${MADE_OF} "ö".`],
    ["１０/s", 0, `${MADE_OF} "１".`],
    ["10/s 🚀", 5, `${MADE_OF} "🚀".`],
    ["10/s\u0000", 4, `${MADE_OF} U+0000.`],
    ["10/s\u0301", 4, `${MADE_OF} U+0301.`],
    ["10/s\u202e", 4, `${MADE_OF} U+202E.`],
    ["10/s\ud83d", 4, `${MADE_OF} U+D83D.`],
    ["10/s\ude80\ud83d", 4, `${MADE_OF} U+DE80.`],
    ["10/s\u{f0000}", 4, `${MADE_OF} U+F0000.`],
  ])("%j at %d", (text, position, problem) => {
    expect(() => tokenize(text)).toThrow(expect.objectContaining({ position, text }));
    expect(() => tokenize(text)).toThrow(`${problem}\n`);
  });
});

test("a text has a longest length", () => {
  expect(tokenize("1".repeat(LONGEST_TEXT))).toHaveLength(2);
  const text = "1".repeat(LONGEST_TEXT + 1);
  expect(() => tokenize(text)).toThrow(expect.objectContaining({ position: LONGEST_TEXT, text }));
  expect(() => tokenize(text)).toThrow("A rule has at most 65536 characters, and this one has 65537.");
  expect(() => tokenize(`${text}11`)).toThrow(/[^^]\^$/);
});
