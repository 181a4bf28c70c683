import { describe, expect, test } from "vitest";
import { toRule } from "./input.js";
import { type LimitDraft, LONGEST_SELECTOR, resolve } from "./resolve.js";

const ms = 1_000;
const s = 1_000 * ms;
const m = 60 * s;
const h = 60 * m;

describe("what was left out is filled in", () => {
  test.each([
    // no precision and no option: the log
    ["10/s", "sliding-log", { limit: 10, span: s }],
    ["0/s", "sliding-log", { limit: 0, span: s }],
    ["10/s sliding-log", "sliding-log", { limit: 10, span: s }],
    // a precision alone: the window
    ["10/s:0.1", "sliding-window", { limit: 10, span: s, precision: 100 * ms }],
    ["240/h:1m", "sliding-window", { limit: 240, span: h, precision: m }],
    ["10/s:1", "sliding-window", { limit: 10, span: s, precision: s }],
    ["10/s:0.1 sliding-window", "sliding-window", { limit: 10, span: s, precision: 100 * ms }],
    // no precision where one is needed: a sixtieth of the span, whole, at least 1 ms, at most the span
    ["10/m sliding-window", "sliding-window", { limit: 10, span: m, precision: s }],
    ["10/s sliding-window", "sliding-window", { limit: 10, span: s, precision: 16_666 }],
    ["10/60ms sliding-window", "sliding-window", { limit: 10, span: 60 * ms, precision: ms }],
    ["10/59ms sliding-window", "sliding-window", { limit: 10, span: 59 * ms, precision: ms }],
    ["10/ms ar1", "ar1", { limit: 10, span: ms, precision: ms }],
    ["10/0.5ms ar1", "ar1", { limit: 10, span: 500, precision: 500 }],
    ["100/h ar1", "ar1", { limit: 100, span: h, precision: m }],
    ["100/h:30s ar1", "ar1", { limit: 100, span: h, precision: 30 * s }],
    // a burst: gcra; without one, as many at once as in a span
    ["10/s burst 20", "gcra", { limit: 10, span: s, burst: 20 }],
    ["10/s burst 5", "gcra", { limit: 10, span: s, burst: 5 }],
    ["10/s gcra burst 20", "gcra", { limit: 10, span: s, burst: 20 }],
    ["10/s gcra", "gcra", { limit: 10, span: s, burst: 10 }],
    ["0/s gcra", "gcra", { limit: 0, span: s, burst: 0 }],
    // nothing to fill in
    ["10/s fixed-window", "fixed-window", { limit: 10, span: s }],
    ["10/s sliding-counter", "sliding-counter", { limit: 10, span: s }],
  ])("%s", (text, algorithm, quota) => {
    expect(toRule(text)).toStrictEqual({ kind: "limit", selectors: [], algorithm, quota });
  });
});

describe("what cannot be held is refused, with the part to change", () => {
  const draft: LimitDraft = {
    selectors: [],
    limit: 10,
    span: s,
    precision: undefined,
    algorithm: undefined,
    burst: undefined,
  };
  const refusedPart = (changes: Partial<LimitDraft>) => {
    const fail = (part: keyof LimitDraft): never => {
      throw part;
    };
    try {
      return resolve({ ...draft, ...changes }, fail);
    } catch (part) {
      return part;
    }
  };

  test.each<[keyof LimitDraft, Partial<LimitDraft>]>([
    ["selectors", { selectors: ["user", "user"] }],
    ["selectors", { selectors: ["x".repeat(LONGEST_SELECTOR + 1)] }],
    ["selectors", { selectors: ["x".repeat(LONGEST_SELECTOR - 1), "y"] }],
    ["span", { span: 0 }],
    ["span", { span: Number.POSITIVE_INFINITY }],
    ["precision", { precision: 0 }],
    ["precision", { precision: 2 * s }],
    ["precision", { precision: Number.POSITIVE_INFINITY }],
    ["precision", { precision: ms, algorithm: "gcra" }],
    ["burst", { burst: 0 }],
    ["burst", { burst: 5, limit: 0 }],
    ["burst", { burst: 5, algorithm: "ar1" }],
    ["limit", { limit: Number.MAX_SAFE_INTEGER }],
    ["precision", { span: h, precision: 1, algorithm: "ar1" }],
  ])("%s of %j", (part, changes) => {
    expect(refusedPart(changes)).toBe(part);
  });

  test("and the longest selector is held", () => {
    const name = "x".repeat(LONGEST_SELECTOR - 2);
    expect(refusedPart({ selectors: [name, "y"] })).toMatchObject({ selectors: [name, "y"] });
  });
});
