import { describe, expect, test } from "vitest";
import { and, or, toRule } from "./input.js";
import { printRule } from "./print.js";

describe("one text for all ways to write a rule", () => {
  test.each([
    ["10/s", "10/s"],
    ["10 / 1s sliding-log", "10/s"],
    ["user:10/300s", "user:10/5m"],
    ["10/7d", "10/w"],
    ["10/0.5s", "10/500ms"],
    ["10/0.0005s", "10/0.5ms"],
    ["apikey:5/s:0.1", "apikey:5/s:100ms"],
    ["5/s:0.1 sliding-window", "5/s:100ms"],
    ["5/m sliding-window", "5/m:1s"],
    ["5/s:1", "5/s:1s"],
    ["100/h ar1", "100/h:1m ar1"],
    ["10/s fixed-window", "10/s fixed-window"],
    ["10/s sliding-counter", "10/s sliding-counter"],
    ["10/s gcra", "10/s gcra"],
    ["10/s burst 10", "10/s gcra"],
    ["10/s gcra burst 20", "10/s burst 20"],
    ["0/s", "0/s"],
    ["0/s gcra", "0/s gcra"],
    ["user+ip:10/m", "user+ip:10/m"],
    ["ip,user:240/h", "ip:240/h or user:240/h"],
  ])("%s is %s", (text, expected) => {
    expect(printRule(toRule(text))).toBe(expected);
  });
});

describe("parentheses only where they are needed", () => {
  test.each([
    ["(10/s)", "10/s"],
    ["(1/s and 2/s) or 3/s", "1/s and 2/s or 3/s"],
    ["1/s or (2/s and 3/s)", "1/s or 2/s and 3/s"],
    ["(1/s or 2/s) and 3/s", "(1/s or 2/s) and 3/s"],
    ["1/s or (2/s or (3/s or 4/s))", "1/s or 2/s or 3/s or 4/s"],
    ["1/s and (2/s and 3/s)", "1/s and 2/s and 3/s"],
    ["ip,user:1/s and 2/s", "(ip:1/s or user:1/s) and 2/s"],
    ["1/s and (2/s or 3/s and (4/s or 5/s))", "1/s and (2/s or 3/s and (4/s or 5/s))"],
  ])("%s is %s", (text, expected) => {
    expect(printRule(toRule(text))).toBe(expected);
  });

  test("in rules made in code, too", () => {
    expect(printRule(and("10/s", or("user:1/s", and("ip:2/s", "3/s"))))).toBe(
      "10/s and (user:1/s or ip:2/s and 3/s)",
    );
  });
});
