/** What the page remembers, and the numbers it makes of it. */
import { expect, test } from "vitest";
import { columnsOf, figuresOf } from "../../page/live/figures.js";
import { fillIn, type History, withPast, withSecond } from "../../page/live/history.js";
import { keyOf, linkTo, RATELIMIT, type Subject, subjectsOf } from "../../page/live/subject.js";
import type { Hello, Second, Tally } from "../../src/live/live-messages.js";

const LOGIN: Subject = { kind: "limit", name: "login", facts: undefined };

/** The last decisions took as many milliseconds as there were admitted, and half of them a tenth of that. */
const tally = (allowed: number, refused: number, shadowRefused = 0, fallback = 0, cache = 0): Tally => [
  allowed,
  refused,
  shadowRefused,
  fallback,
  cache,
  allowed * 100,
  allowed * 1000,
];

const second = (at: number, login?: Tally, rateLimit?: Tally): Second => ({
  at,
  limits: login === undefined ? {} : { login },
  commands: rateLimit === undefined ? {} : { RATELIMIT: rateLimit },
  store: { describe: "memory", breaker: undefined, waiting: undefined, keys: 0, failures: 2 },
});

const historyOf = (...seconds: readonly Second[]): History =>
  seconds.reduce<History>((history, one) => withSecond(history, one, 600), []);

const instants = (history: History) => history.map(({ at }) => at);

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
  const history = historyOf(...before.map((at) => second(at)));
  expect(instants(withPast(history, { from: 0, seconds: more.map((at) => [at, 0, 0]) }, 5))).toEqual(after);
});

test("a second that comes again stands for the one before", () => {
  const history = historyOf(second(1), second(2, tally(1, 0)), second(2, tally(5, 0)));
  expect(columnsOf(history, LOGIN, 2).allowed).toEqual([0, 5]);
});

test("what the server tells anew takes nothing from what is known of a limit", () => {
  const history = historyOf(second(11, tally(3, 0)), second(12, tally(4, 0)));
  const after = withPast(
    history,
    {
      from: 10,
      seconds: [
        [1, 3, 0],
        [2, 4, 0],
        [3, 9, 1],
      ],
    },
    5,
  );
  expect(after.map(({ at, decisions, failures }) => [at, decisions, failures])).toEqual([
    [11, 3, 0],
    [12, 4, 0],
    [13, 9, 1],
  ]);
  expect(columnsOf(after, LOGIN, 3).allowed).toEqual([3, 4, 0]);
});

test("the past of a limit is filled in where the server remembers it, and stays where it does not", () => {
  const history = withPast(
    historyOf(second(8, tally(1, 0)), second(9)),
    {
      from: 10,
      seconds: [
        [0, 5, 0],
        [1, 0, 0],
      ],
    },
    600,
  );
  const newest = withSecond(history, second(12, tally(7, 0)), 600);
  const rows = [
    [-1, ...tally(9, 9)],
    [0, ...tally(5, 0)],
    [5, ...tally(9, 9)],
  ] as const;
  fillIn(newest, { from: 10, to: 11, limits: { login: rows }, commands: {} }, [LOGIN, RATELIMIT]);
  expect(columnsOf(newest, LOGIN, 5)).toMatchObject({ at: [8, 9, 10, 11, 12], allowed: [1, 0, 5, 0, 7] });
});

const HISTORY = historyOf(
  second(10, tally(100, 100)),
  second(11, tally(4, 1, 0, 2)),
  // The page was away at 12.
  second(13),
  second(14, tally(6, 3, 1, 0, 1), tally(7, 0)),
  second(15),
);

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
  expect(HISTORY.map(({ decisions, failures }) => [decisions, failures])).toEqual([
    [200, 2],
    [5, 2],
    [0, 2],
    [16, 2],
    [0, 2],
  ]);
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
  const subjects = subjectsOf(hello, ["limit login", "limit login", "limit api", "command RATELIMIT"]);
  expect(subjects.map(keyOf)).toEqual(["limit api", "limit login", "command RATELIMIT"]);
  expect(subjects.map(linkTo)).toEqual(["#live?limit=api", "#live?limit=login", "#live?command=RATELIMIT"]);
});

test.each(["constructor", "__proto__", "toString"])("a limit may be called %s", (name) => {
  const subject: Subject = { kind: "limit", name, facts: undefined };
  const history = historyOf(second(1));
  fillIn(history, { from: 0, to: 1, limits: {}, commands: {} }, [subject]);
  expect(figuresOf(history, subject, 1)).toMatchObject({ allowed: 0 });
});
