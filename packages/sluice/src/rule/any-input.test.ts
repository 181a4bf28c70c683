/** Whatever is given, the answer is a rule or a RuleError, and it comes soon. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RuleError } from "./diagnostic.js";
import { and, or, type RuleInput, toRule } from "./input.js";
import { printRule } from "./print.js";
import { isRule } from "./rule.js";

/** The error of a refused input; undefined for a rule. Any other error is the test's failure. */
function refusalOf(input: unknown, read: (input: RuleInput) => unknown = toRule): RuleError | undefined {
  try {
    read(input as RuleInput);
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
}

function checkText(text: string): void {
  const error = refusalOf(text);
  if (error === undefined) {
    const rule = toRule(text);
    expect(isRule(rule)).toBe(true);
    expect(toRule(printRule(rule))).toStrictEqual(rule);
    return;
  }
  expect(error.text).toBe(text);
  expect(Number.isInteger(error.position)).toBe(true);
  expect(error.position).toBeGreaterThanOrEqual(0);
  expect(error.position).toBeLessThanOrEqual(text.length);
  expect(error.message.length).toBeLessThan(700);
  expect(error.message).not.toMatch(/[\p{Cs}]|[^\P{Cc}\n]/u);
}

const WORDS = [
  ...[
    "0",
    "1",
    "10",
    "0.5",
    "1.50",
    "99999999999999999999",
    ":",
    "/",
    "+",
    ",",
    "(",
    ")",
    "and",
    "or",
    "burst",
  ],
  ...[
    "ms",
    "s",
    "m",
    "h",
    "d",
    "w",
    "sec",
    "min",
    "AND",
    "user",
    "ip",
    "gcra",
    "ar1",
    "fixed-window",
    "windw",
  ],
  ...[
    "10/s",
    "user:10/5m",
    "5/s:0.1",
    "10/s burst 20",
    "a,b:1/s",
    "-",
    ".",
    "&&",
    "é",
    "\ud83d",
    "🚀",
    "\u0000",
  ],
];
const soup = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }), fc.constantFrom("", " "))
  .map(([words, joint]) => words.join(joint));

describe("any text is a rule or is refused at a place in it", () => {
  const utf16 = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

  test.each([
    ["of any characters", fc.string({ unit: "binary" })],
    ["of printable characters", fc.string({ unit: "grapheme", maxLength: 200 })],
    ["of halves of characters", fc.string({ unit: utf16 })],
    ["of the words of the language, in any order", soup],
    [
      "of its characters, in any order",
      fc.string({ unit: fc.constantFrom(..."0159./:+,()-_ \tasmhdwnro"), maxLength: 40 }),
    ],
  ])("%s", (_, texts) => {
    fc.assert(fc.property(texts, checkText), { numRuns: 1000 });
  });

  test.each([
    ["a million letters", "a".repeat(1_000_000)],
    ["a million spaces", " ".repeat(1_000_000)],
    ["a million halves of characters", "\ud83d".repeat(1_000_000)],
    ["a million rockets", "🚀".repeat(500_000)],
    ["a hundred thousand parentheses", "(".repeat(100_000)],
    ["a hundred thousand pairs of them", `${"(".repeat(100_000)}1/s${")".repeat(100_000)}`],
    ["a hundred thousand terms", "a or ".repeat(100_000)],
    ["as many letters as fit", "a".repeat(65_536)],
    ["as many spaces as fit", " ".repeat(65_536)],
    ["as many digits as fit", "9".repeat(65_536)],
    ["as many digits of a span as fit", `1/${"9".repeat(65_533)}s`],
    ["as many digits of a fraction as fit", `1/0.${"3".repeat(65_531)}s`],
    ["as many parentheses as fit", "(".repeat(65_536)],
    ["as many closing ones", ")".repeat(65_536)],
    ["as many terms as fit", "1/s or ".repeat(9_000)],
    ["as many other terms as fit", "1/s and 1/s or ".repeat(4_000)],
    ["as many selectors as fit", `${"a,".repeat(32_000)}b:1/s`],
    ["as many selectors of a tuple", `${"a+".repeat(32_000)}b:1/s`],
    ["as many options as fit", `1/s ${"ar1 ".repeat(16_000)}`],
    ["as many words as fit", "a ".repeat(32_000)],
    ["as many dots as fit", "1.".repeat(32_000)],
  ])("%s", (_, text) => {
    checkText(text);
  });
});

test("following the suggestions ends in a rule", () => {
  const unit = fc.constantFrom("s", "S", "sec", "Minutes", "hrs", "day", "WEEK");
  const misspelt = fc
    .tuple(
      fc.constantFrom("10/", "10 per ", "10/7", "user : 10 / 7 "),
      unit,
      fc.oneof(
        fc.constantFrom("", " Burst 5", " bust 5", " fixed_window", " token-bucket", " GCRA"),
        unit.map((word) => `:1 ${word}`),
      ),
      fc.constantFrom("", " AND 5/min", "\nOr\n5 per hour", " adn 5/m"),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(misspelt, (text) => {
      let mended = text;
      for (let error = refusalOf(mended); error !== undefined; error = refusalOf(mended)) {
        if (/^A precision is at most the span/.test(error.message)) return;
        const [, next] = /\n\nDid you mean "(.+)"\?$/.exec(error.message) ?? [];
        expect(next, error.message).not.toBe(undefined);
        expect(next).not.toBe(mended);
        mended = next!;
      }
    }),
    { numRuns: 500 },
  );
});

describe("any value is a rule or is refused", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const likely = fc.oneof(
    anything,
    fc.double(),
    fc.nat(),
    fc.constantFrom("1s", "5m", "user", "gcra", "ar1", "1", ""),
    soup,
  );
  const ruleLike = fc.record(
    { selector: likely, limit: likely, per: likely, precision: likely, algorithm: likely, burst: likely },
    { requiredKeys: [] },
  );

  test.each([
    ["of any kind", anything],
    ["with the properties of a rule", ruleLike],
  ])("%s", (_, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const error = refusalOf(value);
        if (error === undefined) expect(isRule(toRule(value as RuleInput))).toBe(true);
        refusalOf(["1/s", value], (inputs) => and(...(inputs as unknown as RuleInput[])));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("rules made in code are bounded however they grow", () => {
  test("ten thousand deep, in turns", () => {
    const grow = () => {
      let rule: RuleInput = "1/s";
      for (let level = 0; level < 10_000; level += 1)
        rule = level % 2 === 0 ? and(rule, "1/s") : or(rule, "1/s");
    };
    expect(refusalOf(undefined, grow)).toBeInstanceOf(RuleError);
  });

  test("ten thousand deep, of one rule each", () => {
    let rule = toRule("1/s");
    for (let level = 0; level < 10_000; level += 1) rule = level % 2 === 0 ? and(rule) : or(rule);
    expect(printRule(rule)).toBe("1/s");
  });

  test("doubled again and again", () => {
    const grow = () => {
      let rule: RuleInput = "1/s";
      for (let level = 0; level < 64; level += 1) rule = level % 2 === 0 ? and(rule, rule) : or(rule, rule);
    };
    expect(refusalOf(undefined, grow)).toBeInstanceOf(RuleError);
  });

  test("a hundred thousand wide", () => {
    for (const input of ["1/s", "bad", toRule("1/s or 2/s"), undefined]) {
      const inputs = Array<RuleInput>(100_000).fill(input as RuleInput);
      expect(refusalOf(undefined, () => and(...inputs))).toBeInstanceOf(RuleError);
      expect(refusalOf(undefined, () => or(...inputs))).toBeInstanceOf(RuleError);
    }
  });
});
