/** Numbers, times and values as the page shows them. */
import { expect, test } from "vitest";
import { compact, counted, latency, rate, wait } from "../../page/format.js";
import { shownValue } from "../../page/identities/shown-value.js";

test.each([
  [rate(0), "0"],
  [rate(0.31), "0.3"],
  [rate(9.96), "10"],
  [rate(12.7), "13"],
  [rate(123_456.7), "123,457"],
  [latency(undefined), "–"],
  [latency(0), "1 µs"],
  [latency(0.0234), "23 µs"],
  [latency(1.5), "1.5 ms"],
  [latency(2500), "2.5 s"],
  [wait(0), "now"],
  [wait(12_345), "in 12.3 s"],
  [wait(null), "never"],
  [counted(1, "second"), "1 second"],
  [counted(1200, "second"), "1,200 seconds"],
  [compact(950), "950"],
  [compact(12_500), "12.5K"],
])("%s", (shown, expected) => {
  expect(shown).toBe(expected);
});

test.each([
  ["ada", "ada"],
  ["", "(empty)"],
  ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ["a\u202eb", "a\\u{202e}b"],
  ["a\n\tb\0", "a\\u{a}\\u{9}b\\u{0}"],
  ["zero\u200bwidth", "zero\\u{200b}width"],
  ["\ud800", "\\u{d800}"],
  ["grüße 👋", "grüße 👋"],
  ["x".repeat(400), `${"x".repeat(300)}…`],
])("the value %j", (value, expected) => {
  expect(shownValue(value)).toBe(expected);
});
