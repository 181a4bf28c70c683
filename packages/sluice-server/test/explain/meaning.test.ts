/** Rules read aloud. */
import { toRule } from "sluice";
import { describe, expect, test } from "vitest";
import { durationInWords, parseDuration, roughDuration } from "../../src/explain/duration.js";
import { meaningOf, type Saying } from "../../src/explain/meaning.js";
import { nearestWord } from "../../src/explain/nearest-word.js";

test.each([
  ["10/s", "All calls together: at most 10 in any second"],
  ["user:10/5m", "Each user: at most 10 in any 5 minutes"],
  ["user:1000/1.5h", "Each user: at most 1,000 in any 90 minutes"],
  ["user+ip:10/d", "Each pair of user and ip: at most 10 in any day"],
  ["a+b+c:10/w", "Each combination of a, b and c: at most 10 in any week"],
  ["240/h:1m", "All calls together: at most 240 in any hour, counted in buckets of 1 minute"],
  ["apikey:5/s:0.1", "Each apikey: at most 5 in any second, counted in buckets of 100 milliseconds"],
  ["10/10s fixed-window", "All calls together: at most 10 in each 10 seconds of the clock"],
  [
    "9/d fixed-window",
    "All calls together: at most 9 in each day of the clock, from midnight to midnight UTC",
  ],
  [
    "9/w fixed-window",
    "All calls together: at most 9 in each week of the clock, which begin on Thursdays at midnight UTC",
  ],
  [
    "100/m sliding-counter",
    "All calls together: about 100 in any minute, estimated from two windows of the clock",
  ],
  ["10/s burst 20", "All calls together: 10 in a second, evenly: up to 20 at once, then one every 100 ms"],
  ["7/h gcra", "All calls together: 7 in an hour, evenly: up to 7 at once, then one every 8.57 m"],
  ["100/h:1m ar1", "All calls together: up to 100 from rest; of what is in use, 1.7 % fades every minute"],
  ["0/s", "All calls together: nothing at all, since the limit is 0"],
])("%s", (rule, words) => {
  expect(meaningOf(toRule(rule))).toEqual({ words, parts: [] });
});

function outline({ words, parts }: Saying): unknown {
  return parts.length === 0 ? words : [words, ...parts.map(outline)];
}

test("And and Or say when to refuse", () => {
  expect(outline(meaningOf(toRule("ip,user:5/m and (10/s or (a:1/s and b:1/s))")))).toEqual([
    "Refuses only when all of these are over:",
    ["any of these:", "Each ip: at most 5 in any minute", "Each user: at most 5 in any minute"],
    [
      "any of these:",
      "All calls together: at most 10 in any second",
      ["all of these together:", "Each a: at most 1 in any second", "Each b: at most 1 in any second"],
    ],
  ]);
});

describe("durations", () => {
  test.each([
    ["5m", 300_000_000],
    ["0.5s", 500_000],
    ["h", 3_600_000_000],
    ["1.5ms", 1_500],
    ["0s", undefined],
    ["5", undefined],
    ["5 m", undefined],
    ["-5m", undefined],
    ["5y", undefined],
    ["", undefined],
  ])("%s", (text, microseconds) => expect(parseDuration(text)).toBe(microseconds));

  test.each([
    [1_000_000, "1 second"],
    [90_000_000, "90 seconds"],
    [1_209_600_000_000, "2 weeks"],
    [1_500, "1.5 milliseconds"],
  ])("%i µs in words", (microseconds, words) => expect(durationInWords(microseconds)).toBe(words));

  test.each([
    [250, "250 µs"],
    [86_400, "86.4 ms"],
    [61_000_000, "1.02 m"],
    [0, "0 µs"],
  ])("%i µs roughly", (microseconds, words) => expect(roughDuration(microseconds)).toBe(words));
});

test.each([
  ["limts", "limits"],
  ["count_refused", "countRefused"],
  ["ONFAILURE", "onFailure"],
  ["x", undefined],
  ["something else", undefined],
])("%s is near to %s", (word, near) => {
  expect(nearestWord(word, ["limits", "countRefused", "onFailure"])).toBe(near);
});
