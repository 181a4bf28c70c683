import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ceilMs,
  durationText,
  isUnit,
  LONGEST_SPAN,
  MICROSECONDS,
  microsecondsOf,
  type Unit,
} from "./duration.js";

describe("a decimal number of units is an exact number of microseconds", () => {
  test.each<[string, Unit, number | undefined]>([
    ["1", "ms", 1_000],
    ["1", "s", 1_000_000],
    ["5", "m", 300_000_000],
    ["1", "h", 3_600_000_000],
    ["1", "d", 86_400_000_000],
    ["1", "w", 604_800_000_000],
    ["0", "s", 0],
    ["0.1", "s", 100_000],
    ["0.001", "ms", 1],
    ["1.000", "ms", 1_000],
    ["007", "ms", 7_000],
    // As floating-point products these are off by a fraction.
    ["0.07", "h", 252_000_000],
    ["2.01", "h", 7_236_000_000],
    ["1.005", "s", 1_005_000],
    // Not whole.
    ["0.0001", "ms", undefined],
    ["0.0000001", "s", undefined],
    // As long as a text can be.
    [`${"0".repeat(65_000)}1`, "s", 1_000_000],
    [`1.${"0".repeat(65_000)}`, "s", 1_000_000],
    [`0.${"0".repeat(65_000)}1`, "s", undefined],
    ["9".repeat(65_000), "s", Number.POSITIVE_INFINITY],
    // Not decimal numbers.
    ["", "s", undefined],
    [".5", "s", undefined],
    ["5.", "s", undefined],
    ["-1", "s", undefined],
    ["1e3", "s", undefined],
    ["0x10", "s", undefined],
    [" 1", "s", undefined],
  ])("%s %s", (decimal, unit, expected) => {
    expect(microsecondsOf(decimal, unit)).toBe(expected);
  });
});

describe("a span is written with the largest unit that divides it", () => {
  test.each([
    [1, "0.001ms"],
    [10, "0.01ms"],
    [1_001, "1.001ms"],
    [16_666, "16.666ms"],
    [1_000, "1ms"],
    [1_500_000, "1500ms"],
    [90_000_000, "90s"],
    [60_000_000, "1m"],
    [5_400_000_000, "90m"],
    [172_800_000_000, "2d"],
    [1_209_600_000_000, "2w"],
    [LONGEST_SPAN, "36500d"],
  ])("%d µs is %s", (microseconds, expected) => {
    expect(durationText(microseconds)).toBe(expected);
  });

  test("and reads back as the same span", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LONGEST_SPAN }), (microseconds) => {
        const [, decimal = "", unit = ""] = /^([\d.]+)([a-z]+)$/.exec(durationText(microseconds)) ?? [];
        expect(isUnit(unit) && microsecondsOf(decimal, unit)).toBe(microseconds);
      }),
    );
  });
});

test("only the six units are units, whatever else objects have", () => {
  expect(Object.keys(MICROSECONDS).filter(isUnit)).toEqual(["ms", "s", "m", "h", "d", "w"]);
  for (const word of ["", "S", "us", "sec", "toString", "__proto__", "constructor"])
    expect(isUnit(word)).toBe(false);
});

test.each([
  [0, 0],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
])("%d µs leave as %d ms, rounded up", (microseconds, expected) => {
  expect(ceilMs(microseconds)).toBe(expected);
});
