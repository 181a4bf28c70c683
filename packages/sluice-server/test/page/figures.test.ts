/** What the page remembers, and the numbers it makes of it. */
import { expect, test } from "vitest";
import { columnsOf, figuresOf } from "../../page/live/figures.js";
import { remembered } from "../../page/live/history.js";
import { keyOf, linkTo, RATELIMIT, type Subject, subjectsOf, tallyOf } from "../../page/live/subject.js";
import type { Hello, Second, Tally } from "../../src/live/live-messages.js";

const LOGIN: Subject = { kind: "limit", name: "login", facts: undefined };

const tally = (allowed: number, refused: number, others: Partial<Tally> = {}): Tally => ({
  allowed,
  refused,
  shadowRefused: 0,
  fallback: 0,
  cache: 0,
  p50Ms: allowed / 10,
  p99Ms: allowed,
  ...others,
});

const second = (at: number, login?: Tally, rateLimit?: Tally): Second => ({
  at,
  limits: login === undefined ? {} : { login },
  commands: rateLimit === undefined ? {} : { RATELIMIT: rateLimit },
  store: { describe: "memory", breaker: undefined, waiting: undefined, keys: 0, failures: 0 },
});

const instants = (seconds: readonly Second[]) => seconds.map(({ at }) => at);

test.each<[string, readonly number[], readonly number[], readonly number[]]>([
  ["the next", [1, 2], [3], [1, 2, 3]],
  ["those that were missed", [1, 2], [4, 5], [1, 2, 4, 5]],
  ["what is known already", [1, 2, 3], [2, 3, 4], [1, 2, 3, 4]],
  ["nothing", [1, 2], [], [1, 2]],
  ["the first", [], [7, 8], [7, 8]],
  ["too many", [1, 2, 3, 4, 5], [6, 7], [3, 4, 5, 6, 7]],
  ["all too old", [1, 2], [100], [100]],
  ["what a clock that was set back says", [10, 11], [4], [4]],
])("remembers %s", (_, before, more, after) => {
  const seconds = (all: readonly number[]) => all.map((at) => second(at));
  expect(instants(remembered(seconds(before), seconds(more), 5))).toEqual(after);
});

test("a second that comes again stands for the one before", () => {
  const history = remembered([second(1), second(2, tally(1, 0))], [second(2, tally(5, 0))], 10);
  expect(history.map((one) => tallyOf(LOGIN, one).allowed)).toEqual([0, 5]);
});

const HISTORY = [
  second(10, tally(100, 100)),
  second(11, tally(4, 1, { fallback: 2 })),
  // The page was away at 12.
  second(13),
  second(14, tally(6, 3, { shadowRefused: 1, cache: 1 }), tally(7, 0)),
  second(15),
];

test("sums the last seconds", () => {
  expect(figuresOf(HISTORY, LOGIN, 5)).toEqual({
    seconds: 4,
    allowed: 10,
    refused: 4,
    shadowRefused: 1,
    fallback: 2,
    cache: 1,
    p50Ms: 0.6,
    p99Ms: 6,
  });
  expect(figuresOf(HISTORY, RATELIMIT, 5)).toMatchObject({ allowed: 7, refused: 0 });
  expect(figuresOf([], LOGIN, 5)).toMatchObject({ seconds: 0, allowed: 0, p50Ms: undefined });
});

test("has a place for every second: zeros where nothing was asked, nothing where nobody knows", () => {
  expect(columnsOf(HISTORY, LOGIN, 5)).toEqual({
    at: [11, 12, 13, 14, 15],
    allowed: [4, null, 0, 6, 0],
    refused: [1, null, 0, 3, 0],
    shadowRefused: [0, null, 0, 1, 0],
    p50Ms: [0.4, null, null, 0.6, null],
    p99Ms: [4, null, null, 6, null],
  });
});

test("shows the limits of the configuration, those that came since, and RATELIMIT", () => {
  const facts = { name: "api", rule: "1/s", selectors: [], shadow: false };
  const hello = { limits: [facts] } as unknown as Hello;
  const subjects = subjectsOf(hello, HISTORY);
  expect(subjects.map(keyOf)).toEqual(["limit api", "limit login", "command RATELIMIT"]);
  expect(subjects.map(linkTo)).toEqual(["#live?limit=api", "#live?limit=login", "#live?command=RATELIMIT"]);
});

test.each(["constructor", "__proto__", "toString"])("a limit may be called %s", (name) => {
  expect(tallyOf({ kind: "limit", name, facts: undefined }, second(1))).toMatchObject({ allowed: 0 });
});
