import { describe, expect, test } from "vitest";
import { nearest } from "./nearest.js";

const UNITS = ["ms", "s", "m", "h", "d", "w"];
const OPTIONS = [
  "and",
  "or",
  "burst",
  "sliding-log",
  "sliding-window",
  "fixed-window",
  "sliding-counter",
  "gcra",
  "ar1",
];
const PROPERTIES = ["selector", "limit", "per", "precision", "algorithm", "burst"];

describe("a mistaken word is near to the word it was meant to be", () => {
  test.each<[string, readonly string[], string]>([
    // another word for it
    ["sec", UNITS, "s"],
    ["Minutes", UNITS, "m"],
    ["hrs", UNITS, "h"],
    ["days", UNITS, "d"],
    ["WEEK", UNITS, "w"],
    ["millis", UNITS, "ms"],
    ["token-bucket", OPTIONS, "gcra"],
    ["window", OPTIONS, "sliding-window"],
    ["window", PROPERTIES, "per"],
    ["count", PROPERTIES, "limit"],
    ["span", PROPERTIES, "per"],
    ["per", ["/"], "/"],
    // another case
    ["M", UNITS, "m"],
    ["AND", OPTIONS, "and"],
    ["GCRA", OPTIONS, "gcra"],
    // a slip of the finger
    ["fixed-windw", OPTIONS, "fixed-window"],
    ["fixedwindow", OPTIONS, "fixed-window"],
    ["sliding_counter", OPTIONS, "sliding-counter"],
    ["bust", OPTIONS, "burst"],
    ["gcr", OPTIONS, "gcra"],
    ["gcar", OPTIONS, "gcra"],
    ["adn", OPTIONS, "and"],
    ["bursty", OPTIONS, "burst"],
    ["limits", PROPERTIES, "limit"],
    ["precison", PROPERTIES, "precision"],
  ])("%s", (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });
});

describe("and a word far from all of ours is near to none", () => {
  test.each<[string, readonly string[]]>([
    ["", OPTIONS],
    ["x", UNITS],
    ["us", UNITS],
    ["month", UNITS],
    ["year", UNITS],
    ["user", OPTIONS],
    ["sliding", OPTIONS],
    ["__proto__", PROPERTIES],
    ["constructor", PROPERTIES],
  ])("%s", (word, known) => {
    expect(nearest(word, known)).toBeUndefined();
  });

  test("a word of a million letters", () => {
    expect(nearest("s".repeat(1_000_000), UNITS)).toBeUndefined();
  });
});
