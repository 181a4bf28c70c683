import { describe, expect, test } from "vitest";
import { toRule } from "./input.js";
import type { RuleObject } from "./object.js";
import { MOST_LIMITS } from "./rule.js";

describe("an object says the same as text", () => {
  test.each<[RuleObject, string]>([
    [{ limit: 10, per: "s" }, "10/s"],
    [{ limit: 10, per: 1000 }, "10/s"],
    [{ limit: 10, per: 0.5 }, "10/0.5ms"],
    [{ limit: -0, per: "s" }, "0/s"],
    [{ selector: "user", limit: 10, per: "5m" }, "user:10/5m"],
    [{ selector: "user+ip", limit: 10, per: "5m" }, "user+ip:10/5m"],
    [{ selector: " ip , user ", limit: 240, per: "h" }, "ip,user:240/h"],
    [{ limit: 5, per: "s", precision: "0.1" }, "5/s:0.1"],
    [{ limit: 5, per: "s", precision: "100ms" }, "5/s:0.1"],
    [{ limit: 5, per: "s", precision: 100 }, "5/s:0.1"],
    [{ limit: 5, per: "s", precision: 16.666 }, "5/s sliding-window"],
    [{ limit: 10, per: "s", algorithm: "fixed-window" }, "10/s fixed-window"],
    [{ limit: 2 ** 53 - 1, per: "s", algorithm: "fixed-window" }, "9007199254740991/s fixed-window"],
    [{ limit: 10, per: "s", burst: 20 }, "10/s burst 20"],
    [{ limit: 10, per: "s", burst: 20, algorithm: "gcra" }, "10/s burst 20"],
    [{ limit: 100, per: "h", precision: "1m", algorithm: "ar1" }, "100/h:1m ar1"],
    [
      {
        selector: undefined,
        limit: 1,
        per: "s",
        precision: undefined,
        algorithm: undefined,
        burst: undefined,
      },
      "1/s",
    ],
  ])("%j is %s", (object, text) => {
    expect(toRule(object)).toStrictEqual(toRule(text));
  });
});

test("a list of selectors may be as long as a rule may have limits", () => {
  const selector = Array(MOST_LIMITS).fill("a").join(",");
  expect(toRule({ selector, limit: 1, per: "s" })).toStrictEqual(toRule(`${selector}:1/s`));
});

describe("a mistake is told by the property it is in", () => {
  const good = { limit: 10, per: "s" };
  const WHOLE = "Expected a whole number of at least 0.";
  const A_SPAN = 'Expected a span as text, such as "5m", or as milliseconds.';
  const MICROSECONDS = "A span is a whole number of microseconds (0.001 ms).";
  const A_NAME = 'Expected text, such as "user" or "user+ip".';
  const ALGORITHMS = "Expected one of sliding-log, sliding-window, fixed-window, sliding-counter, gcra, ar1.";

  test.each<[object, string]>([
    [{}, `limit: undefined. ${WHOLE}`],
    [{ per: "s" }, `limit: undefined. ${WHOLE}`],
    [{ limit: 10 }, `per: undefined. ${A_SPAN}`],
    [{ ...good, limit: "10" }, `limit: "10". ${WHOLE}`],
    [{ ...good, limit: -1 }, `limit: -1. ${WHOLE}`],
    [{ ...good, limit: 1.5 }, `limit: 1.5. ${WHOLE}`],
    [{ ...good, limit: Number.NaN }, `limit: NaN. ${WHOLE}`],
    [{ ...good, limit: Number.POSITIVE_INFINITY }, `limit: Infinity. ${WHOLE}`],
    [{ ...good, limit: 10n }, `limit: 10n. ${WHOLE}`],
    [{ ...good, limit: 2 ** 53 }, "limit: 9007199254740992. A count is at most 9007199254740991."],
    [{ ...good, limit: 2 ** 52 }, "limit: 4503599627370496. sliding-log remembers every unit"],
    [{ ...good, per: null }, `per: null. ${A_SPAN}`],
    [{ ...good, per: -1 }, `per: -1. ${A_SPAN}`],
    [{ ...good, per: Number.NaN }, `per: NaN. ${A_SPAN}`],
    [{ ...good, per: 0 }, "per: 0. A span is longer than zero."],
    [{ ...good, per: -0 }, "per: 0. A span is longer than zero."],
    [{ ...good, per: 0.0001 }, `per: 0.0001. ${MICROSECONDS}`],
    [{ ...good, per: 1e300 }, "per: 1e+300. A span is at most 36500d."],
    [{ ...good, per: Number.POSITIVE_INFINITY }, "per: Infinity. A span is at most 36500d."],
    [
      { ...good, per: "5" },
      'per: "5". Expected a unit of time (ms, s, m, h, d, w) after the number, and got the end.\n\n  5\n   ^',
    ],
    [{ ...good, per: "5min" }, 'per: "5min". Expected a unit of time (ms, s, m, h, d, w), and got "min".'],
    [
      { ...good, per: "5m or 5/s" },
      'per: "5m or 5/s". Expected nothing more, and got "or", which joins rules.',
    ],
    [{ ...good, precision: 0 }, "precision: 0. A precision is longer than zero."],
    [{ ...good, precision: -0.1 }, `precision: -0.1. ${A_SPAN}`],
    [{ ...good, precision: "-0.1" }, 'precision: "-0.1". Numbers in a rule are never negative.'],
    [{ ...good, precision: 2000 }, "precision: 2000. A precision is at most the span, here 1s."],
    [{ ...good, precision: 1e300 }, "precision: 1e+300. A precision is at most the span, here 1s."],
    [{ ...good, precision: 1, algorithm: "gcra" }, "precision: 1. gcra has no precision"],
    [{ ...good, burst: 0 }, "burst: 0. A burst is at least 1."],
    [{ ...good, burst: 0.5 }, `burst: 0.5. ${WHOLE}`],
    [{ ...good, burst: null }, `burst: null. ${WHOLE}`],
    [{ ...good, burst: 5, algorithm: "ar1" }, "burst: 5. ar1 has no burst; gcra has one."],
    [
      { ...good, algorithm: "fixed-windw" },
      `algorithm: "fixed-windw". ${ALGORITHMS} Did you mean "fixed-window"?`,
    ],
    [{ ...good, algorithm: "burst" }, `algorithm: "burst". ${ALGORITHMS}`],
    [{ ...good, algorithm: "toString" }, `algorithm: "toString". ${ALGORITHMS}`],
    [{ ...good, algorithm: 1 }, `algorithm: 1. ${ALGORITHMS}`],
    [{ ...good, selector: "" }, 'selector: "". Expected the name of a selector, and got the end.'],
    [
      { ...good, selector: "or" },
      'selector: "or". Expected the name of a selector, and got "or", which joins rules.',
    ],
    [{ ...good, selector: "a b" }, 'selector: "a b". Expected nothing more, and got "b".'],
    [{ ...good, selector: "a+a" }, 'selector: "a+a". Each selector of a tuple is named once.'],
    [{ ...good, selector: ["user"] }, `selector: an array. ${A_NAME}`],
    [{ ...good, selector: null }, `selector: null. ${A_NAME}`],
    [{ ...good, selector: `a${",a".repeat(MOST_LIMITS)}` }, "A rule has at most 256 limits."],
  ])("%o", (object, problem) => {
    expect(() => toRule(object as RuleObject)).toThrow(problem);
    expect(() => toRule(object as RuleObject)).toThrow(/^In the rule object, /);
    expect(() => toRule(object as RuleObject)).toThrow(expect.objectContaining({ code: "SLUICE_BAD_RULE" }));
  });
});

describe("an unknown property is refused", () => {
  const HAS =
    "A rule object has the properties selector, limit, per, precision, algorithm, burst, and this one has";

  test.each([
    [{ limit: 10, perr: "s" }, `${HAS} "perr". Did you mean "per"?`],
    [{ count: 10, per: "s" }, `${HAS} "count". Did you mean "limit"?`],
    [{ limit: 10, windowMs: 1000 }, `${HAS} "windowMs". Did you mean "per"?`],
    [{ limit: 10, per: "s", key: "login" }, `${HAS} "key".`],
    [{ limit: 10, per: "s", key: undefined }, `${HAS} "key".`],
    // What only looks like a rule is checked like any other object.
    [
      { kind: "limit", selectors: [], algorithm: "sliding-log", quota: { limit: 1, span: 1 } },
      `${HAS} "kind".`,
    ],
  ])("%j", (object, message) => {
    expect(() => toRule(object as unknown as RuleObject)).toThrow(new RegExp(`^${escaped(message)}$`));
  });

  function escaped(text: string): string {
    return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  }
});
