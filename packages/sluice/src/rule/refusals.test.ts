/** Every mistake that a rule's text can have: where the carets stand, and what is said. */
import { describe, expect, test } from "vitest";
import { RuleError } from "./diagnostic.js";
import { toRule } from "./input.js";

type Refusal = readonly [text: string, carets: string, problem: string];

const A_LIMIT = "Expected a limit, such as 10/s or user:10/5m, and got";
const A_SPAN = "Expected a span, such as s or 5m, in a unit of time (ms, s, m, h, d, w), and got";
const A_UNIT = "Expected a unit of time (ms, s, m, h, d, w)";
const A_COLON = 'Expected a ":" after the selector, as in user:10/5m, and got';
const A_SLASH = 'Expected a "/" and a span after the count, as in 10/s, and got';
const A_NAME = "Expected the name of a selector, and got";
const A_PRECISION = "Expected a precision, such as 0.1 or 1m, and got";
const AN_OPTION =
  'Expected "and", "or", "burst" or an algorithm ' +
  "(sliding-log, sliding-window, fixed-window, sliding-counter, gcra, ar1), and got";
const THE_END = 'Expected "and", "or" or the end of the rule, and got';
const WHOLE = "A count is a whole number.";
const DIGITS = "A count is a whole number in digits alone, such as 1000.";
const TOGETHER = "A number and its unit are written together.";
const NOT_NEGATIVE = "Numbers in a rule are never negative.";
const MICROSECONDS = "A span is a whole number of microseconds (0.001ms).";

const parts: readonly Refusal[] = [
  ["", "^", `${A_LIMIT} the end.`],
  ["   ", "   ^", `${A_LIMIT} the end.`],
  ["1", " ^", `${A_SLASH} the end.`],
  ["1/", "  ^", `${A_SPAN} the end.`],
  ["/m", "^", `${A_LIMIT} "/".`],
  ["/", "^", `${A_LIMIT} "/".`],
  ["1/1", "   ^", `${A_UNIT} after the number, and got the end.`],
  ["1/1/s", "   ^", `${A_UNIT} after the number, and got "/".`],
  ["user", "    ^", `${A_COLON} the end.`],
  ["user/ip", "    ^", `${A_COLON} "/".`],
  ["user 10/s", "     ^^", `${A_COLON} "10".`],
  [":user:", "^", `${A_LIMIT} ":".`],
  ["user:", "     ^", "Expected a count, and got the end."],
  ["user::1", "     ^", 'Expected a count, and got ":".'],
  ["user:ip:1/s", "     ^^", 'Expected a count, and got "ip".'],
  ["user:15", "       ^", `${A_SLASH} the end.`],
  ["user:15:1.0", "       ^", `${A_SLASH} ":".`],
  ["user:15//1:1.0", "        ^", `${A_SPAN} "/".`],
  ["user:15/s/:1.0", "         ^", `${THE_END} "/".`],
];

const counts: readonly Refusal[] = [
  ["1.5/s", "^^^", WHOLE],
  ["user:0.5/s", "     ^^^", WHOLE],
  ["10/s burst 1.5", "           ^^^", WHOLE],
  ["-1/s", "^", NOT_NEGATIVE],
  ["1e3/s", "^^^", DIGITS],
  ["1_000/s", "^^^^^", DIGITS],
  ["10k/s", "^^^", DIGITS],
  ["1,000/s", " ^", `${A_SLASH} ",".`],
  ["10/s burst 1e3", "           ^^^", DIGITS],
  ["9007199254740992/s", "^^^^^^^^^^^^^^^^", "A count is at most 9007199254740991."],
];

const spans: readonly Refusal[] = [
  ["5/0s", "  ^^", "A span is longer than zero."],
  ["5/0.000h", "  ^^^^^^", "A span is longer than zero."],
  ["5/xs", "  ^^", `${A_UNIT}, and got "xs".`],
  ["5/1xs", "   ^^", `${A_UNIT}, and got "xs".`],
  ["5/and", "  ^^^", `${A_UNIT}, and got "and", which joins rules.`],
  ["5/-1s", "  ^", NOT_NEGATIVE],
  ["5/1 m", "  ^^^", TOGETHER],
  ["5/1 min", "  ^^^^^", TOGETHER],
  ["5/1 xs", "    ^^", `${A_UNIT}, and got "xs".`],
  ["5/0.0001ms", "  ^^^^^^^^", MICROSECONDS],
  ["5/36501d", "  ^^^^^^", "A span is at most 36500d."],
  [`5/${"9".repeat(50)}s`, `  ${"^".repeat(51)}`, "A span is at most 36500d."],
];

const precisions: readonly Refusal[] = [
  ["10/s:", "     ^", `${A_PRECISION} the end.`],
  ["10/s:abc", "     ^^^", `${A_PRECISION} "abc".`],
  ["10/s:s", "     ^", `${A_PRECISION} "s".`],
  ["10/s:-1", "     ^", NOT_NEGATIVE],
  ["10/s:0", "     ^", "A precision is longer than zero."],
  ["10/s:0.0ms", "     ^^^^^", "A precision is longer than zero."],
  ["10/s:0 ar1", "     ^", "A precision is longer than zero."],
  ["user:15/s:2.0", "          ^^^", "A precision is at most the span, here 1s."],
  ["240/h:61m ar1", "      ^^^", "A precision is at most the span, here 1h."],
  [`1/s:${"9".repeat(50)}`, `    ${"^".repeat(50)}`, "A precision is at most the span, here 1s."],
  ["10/s:0.1us", "        ^^", `${A_UNIT}, and got "us".`],
  ["10/s:0.1gcra", "        ^^^^", `${A_UNIT}, and got "gcra".`],
  ["240/h:1 m", "      ^^^", TOGETHER],
  ["10/s:0.0000001", "     ^^^^^^^^^", MICROSECONDS],
  ["10/s:0.1:0.2", "        ^", `${THE_END} ":".`],
  ["10/s ar1:0.1", "        ^", `${THE_END} ":".`],
];

const selectors: readonly Refusal[] = [
  ["and:1/s", "^^^", `${A_LIMIT} "and", which joins rules.`],
  ["user+or:1/s", "     ^^", `${A_NAME} "or", which joins rules.`],
  ["user+:1/s", "     ^", `${A_NAME} ":".`],
  ["user,,ip:1/s", "     ^", `${A_NAME} ",".`],
  ["user+1:1/s", "     ^", `${A_NAME} "1".`],
  ["user,ip+key:1/s", "       ^", 'Selectors are joined by "+" or by ",", not by both.'],
  ["user+ip,key:1/s", "       ^", 'Selectors are joined by "+" or by ",", not by both.'],
  ["user+ip+user:1/s", "^^^^^^^^^^^^", "Each selector of a tuple is named once."],
];

const NOT_WITH_PRECISION = "has no precision; sliding-window and ar1 have one.";

const options: readonly Refusal[] = [
  ["10/s fixed-windw", "     ^^^^^^^^^^^", `${AN_OPTION} "fixed-windw".`],
  ["10/s AND 5/m", "     ^^^", `${AN_OPTION} "AND".`],
  ["10/s user:5/m", "     ^^^^", `${AN_OPTION} "user".`],
  ["10/s s", "     ^", `${AN_OPTION} "s".`],
  ["10/s toString", "     ^^^^^^^^", `${AN_OPTION} "toString".`],
  ["10/s gcra ar1", "          ^^^", "A limit has one algorithm."],
  ["10/s burst 1 burst 2", "             ^^^^^", "A limit has one burst."],
  ["10/s burst", "          ^", 'Expected a count after "burst", and got the end.'],
  ["10/s burst or 5/m", "           ^^", 'Expected a count after "burst", and got "or", which joins rules.'],
  ["10/s burst -1", "           ^", NOT_NEGATIVE],
  ["10/s burst 0", "     ^^^^^^^", "A burst is at least 1."],
  ["0/s burst 5", "    ^^^^^^^", "A limit of 0 refuses everything and takes no burst."],
  ["10/s fixed-window burst 5", "                  ^^^^^^^", "fixed-window has no burst; gcra has one."],
  ["10/s burst 5 sliding-log", "     ^^^^^^^", "sliding-log has no burst; gcra has one."],
  [
    "10/s sliding-window burst 5",
    "                    ^^^^^^^",
    "sliding-window has no burst; gcra has one.",
  ],
  [
    "10/s sliding-counter burst 5",
    "                     ^^^^^^^",
    "sliding-counter has no burst; gcra has one.",
  ],
  ["10/s:0.1 ar1 burst 5", "             ^^^^^^^", "ar1 has no burst; gcra has one."],
  ["10/s:0.1 gcra", "     ^^^", `gcra ${NOT_WITH_PRECISION}`],
  ["10/s:0.1 sliding-log", "     ^^^", `sliding-log ${NOT_WITH_PRECISION}`],
  ["10/s:0.1 fixed-window", "     ^^^", `fixed-window ${NOT_WITH_PRECISION}`],
  ["10/s:0.1 sliding-counter", "     ^^^", `sliding-counter ${NOT_WITH_PRECISION}`],
  ["10/s:0.1 burst 5", "     ^^^", `A burst makes the limit gcra, which ${NOT_WITH_PRECISION}`],
];

const joints: readonly Refusal[] = [
  ["and", "^^^", `${A_LIMIT} "and", which joins rules.`],
  ["10/s and", "        ^", `${A_LIMIT} the end.`],
  ["10/s or or 5/m", "        ^^", `${A_LIMIT} "or", which joins rules.`],
  ["10/s 5/m", "     ^", `${THE_END} "5".`],
  ["10/s, 5/m", "    ^", `${THE_END} ",".`],
  ["(10/s", "     ^", 'Expected a closing ")", "and" or "or", and got the end.'],
  ["(10/s 5/m)", "      ^", 'Expected a closing ")", "and" or "or", and got "5".'],
  ["10/s)", "    ^", `${THE_END} ")".`],
  ["()", " ^", `${A_LIMIT} ")".`],
  ["(10/s) ar1", "       ^^^", `${THE_END} "ar1".`],
  ["user:(10/s)", "     ^", 'Expected a count, and got "(".'],
];

describe.each([
  ["a part that is missing or misplaced", parts],
  ["a count that is not one", counts],
  ["a span that is not one", spans],
  ["a precision that is not one", precisions],
  ["a selector that is not one", selectors],
  ["an option that does not fit", options],
  ["rules that are not joined", joints],
])("%s is refused", (_, refusals) => {
  test.each(refusals)("%j", (text, carets, problem) => {
    const error = refusalOf(text);
    expect(error.message.split("\n").slice(0, 4)).toEqual([problem, "", `  ${text}`, `  ${carets}`]);
    expect(error).toMatchObject({ text, position: carets.indexOf("^") });
  });
});

describe("numbers beyond what the algorithm holds exactly are refused", () => {
  test.each([
    ["user:9007199254740991/s", 5, 21, "sliding-log remembers every unit"],
    ["9007199254740991/36500d gcra", 0, 16, "gcra cannot hold"],
    ["1/36500d burst 9007199254740991", 9, 31, "gcra cannot hold"],
    ["100/h:0.001ms ar1", 6, 13, "ar1 holds at most"],
  ])("%s", (text, start, end, problem) => {
    const [first, , , carets] = refusalOf(text).message.split("\n");
    expect(first).toContain(problem);
    expect(carets).toBe(`  ${" ".repeat(start)}${"^".repeat(end - start)}`);
  });
});

describe("a near word is suggested, with the rule mended", () => {
  test.each([
    ["10/sec", "10/s"],
    ["10/5 min", "10/5m"],
    ["10/5min", "10/5m"],
    ["10/5 m", "10/5m"],
    ["10/M", "10/m"],
    ["240/h:1min", "240/h:1m"],
    ["240/h:1 m", "240/h:1m"],
    ["240/h:1 minute", "240/h:1m"],
    ["10 per s", "10 / s"],
    ["10/s AND 5/m", "10/s and 5/m"],
    ["10/s\nOr   5/m", "10/s or 5/m"],
    ["10/s fixed-windw", "10/s fixed-window"],
    ["10/s token-bucket or 5/m", "10/s gcra or 5/m"],
    ["10/s Burst 20", "10/s burst 20"],
    ["10/s user:5/m", undefined],
    ["5/xs", undefined],
  ])("%j: %j", (text, mended) => {
    const [, suggestion] = /\n\nDid you mean "(.*)"\?$/.exec(refusalOf(text).message) ?? [];
    expect(suggestion).toBe(mended);
  });
});

function refusalOf(text: string): RuleError {
  try {
    toRule(text);
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}
