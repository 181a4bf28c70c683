import { expect, test } from "vitest";
import { wholeNumber } from "./whole-number.js";

test.each([
  ["0", 0],
  ["-5", -5],
  ["9007199254740991", 2 ** 53 - 1],
  ["9223372036854775807", 2 ** 63 - 1024],
  ["-9223372036854775807", -(2 ** 63 - 1024)],
])("%s", (text, value) => expect(wholeNumber(text)).toBe(value));

test.each(["", "-", "-0", "007", "+1", "1.0", "1e3", " 1", "1 ", "9223372036854775808", "1".repeat(40), "١"])(
  "%j is none",
  (text) => expect(wholeNumber(text)).toBeUndefined(),
);
