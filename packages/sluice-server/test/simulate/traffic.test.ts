/** Traffic: how it is written, when its requests come, and how many of them there are. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";
import { parseTrace } from "../../src/simulate/trace.js";
import { type Traffic, TrafficError } from "../../src/simulate/traffic.js";

const SECOND = 1_000_000;

/** In milliseconds. */
function instants(traffic: Traffic, seconds: number): readonly number[] {
  return [...traffic.arrivals(seconds * SECOND)].map(({ at }) => at / 1000);
}

test.each([
  ["steady:4/s", 1, [0, 250, 500, 750]],
  ["steady:0.5/s", 5, [0, 2000, 4000]],
  ["steady:90/m", 2, [0, 666.666, 1333.333]],
  ["steady:0/s", 9, []],
  ["burst:3/2s", 3, [0, 0, 0, 2000, 2000, 2000]],
  ["burst:0/s", 3, []],
  ["ramp:0/s..2/s", 2, [0, 1414.213]],
  ["ramp:4/s..4/s", 1, [0, 250, 500, 750]],
  ["ramp:2/s..0/s", 2, [0, 585.786]],
  ["ramp:0/s..0/s", 2, []],
])("%s for %i s", (text, seconds, expected) => {
  expect(instants(parseTraffic(text), seconds)).toEqual(expected);
});

test("poisson is the same for the same seed, and another for another", () => {
  const first = instants(parseTraffic("poisson:20/s"), 60);
  expect(instants(parseTraffic("poisson:20/s,1"), 60)).toEqual(first);
  expect(instants(parseTraffic("poisson:20/s,seed=1"), 60)).toEqual(first);
  expect(instants(parseTraffic("poisson:20/s,2"), 60)).not.toEqual(first);
  expect(first.slice(0, 3)).toEqual([49.318, 49.455, 86.936]);
});

test.each([
  ["stedy:20/s", 'Did you mean "steady"?'],
  ["20/s", "Traffic is steady, poisson, burst or ramp"],
  ["", "Traffic is steady, poisson, burst or ramp"],
  ["steady:", "steady:20/s is one request every 50 ms"],
  ["steady:20", "steady:20/s is one request every 50 ms"],
  ["steady:-1/s", "cannot be read"],
  ["steady:20/sec", "cannot be read"],
  ["steady:20/0s", "cannot be read"],
  ["poisson:20/s,x", "A seed is a whole number"],
  ["poisson:20/s,", "A seed is a whole number"],
  ["poisson:20/s,4294967296", "A seed is a whole number"],
  ["burst:1.5/s", "A burst is a whole number of requests"],
  ["burst:50 every 10s", "burst:50/10s is 50 at once, every 10 s"],
  ["ramp:1/s", "rises from one rate to the other"],
  ["ramp:1/s..2/s..3/s", "rises from one rate to the other"],
])("%s is no traffic", (text, words) => {
  expect(() => parseTraffic(text)).toThrow(TrafficError);
  expect(() => parseTraffic(text)).toThrow(words);
});

describe("rates", () => {
  const rate = fc.record({
    count: fc.integer({ min: 1, max: 400 }),
    seconds: fc.integer({ min: 1, max: 20 }),
  });
  const length = fc.integer({ min: 1, max: 120 });

  function expectInOrder(traffic: Traffic, seconds: number): number {
    const times = instants(traffic, seconds);
    expect(times.every((at, index) => index === 0 || at >= times[index - 1]!)).toBe(true);
    if (times.length > 0) expect(times.at(-1)).toBeLessThan(seconds * 1000);
    return times.length;
  }

  test("steady has exactly its rate", () => {
    fc.assert(
      fc.property(rate, length, ({ count, seconds }, duration) => {
        const traffic = parseTraffic(`steady:${count}/${seconds}s`);
        expect(expectInOrder(traffic, duration)).toBe(Math.ceil((duration * count) / seconds));
      }),
    );
  });

  test("a burst is whole", () => {
    fc.assert(
      fc.property(rate, length, ({ count, seconds }, duration) => {
        const traffic = parseTraffic(`burst:${count}/${seconds}s`);
        expect(expectInOrder(traffic, duration)).toBe(Math.ceil(duration / seconds) * count);
        expect(traffic.expected(duration * SECOND)).toBe(Math.ceil(duration / seconds) * count);
      }),
    );
  });

  test("a ramp has the mean of its rates", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), length, (from, to, duration) => {
        const count = expectInOrder(parseTraffic(`ramp:${from}/s..${to}/s`), duration);
        expect(Math.abs(count - (duration * (from + to)) / 2)).toBeLessThanOrEqual(2);
      }),
    );
  });

  /** Six standard deviations: one run in a billion is outside. */
  test("poisson has its rate on average, and gaps that forget", () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 0xffff_ffff }), ({ count, seconds }, seed) => {
        const mean = (100 * count) / seconds;
        const times = instants(parseTraffic(`poisson:${count}/${seconds}s,${seed}`), 100);
        expect(Math.abs(times.length - mean)).toBeLessThanOrEqual(6 * Math.sqrt(mean) + 1);
        if (mean < 1_000) return;
        const gaps = times.slice(1).map((at, index) => at - times[index]!);
        const long = gaps.filter((gap) => gap > (1000 * seconds) / count).length / gaps.length;
        expect(Math.abs(long - Math.exp(-1))).toBeLessThan(6 * Math.sqrt(0.25 / gaps.length));
      }),
    );
  });
});

describe("a trace", () => {
  test.each([
    [
      "seconds",
      "0\n1.5\n",
      [
        [0, 1, "one"],
        [1_500_000, 1, "one"],
      ],
    ],
    [
      "seconds, cost and key",
      "0,2,ada\n1,,bob\n",
      [
        [0, 2, "ada"],
        [1_000_000, 1, "bob"],
      ],
    ],
    ["a heading", "ms,key,cost\n5,ada,3\n", [[5_000, 3, "ada"]]],
    ["a heading with other columns", "path,Time\n/x,2\n", [[2_000_000, 1, "one"]]],
    [
      "units",
      "1500ms\n2 s\n",
      [
        [1_500_000, 1, "one"],
        [2_000_000, 1, "one"],
      ],
    ],
    [
      "lines in any order, comments and empty lines",
      "# from a log\n2\n\n1\r\n",
      [
        [1_000_000, 1, "one"],
        [2_000_000, 1, "one"],
      ],
    ],
    ["quotes", 's,key\n1,"a, ""b"""\n', [[1_000_000, 1, 'a, "b"']]],
  ])("of %s", (_, text, expected) => {
    const traffic = parseTrace(text, "t.csv");
    expect([...traffic.arrivals(traffic.lengthUs!)].map(({ at, cost, key }) => [at, cost, key])).toEqual(
      expected,
    );
  });

  test("of dates begins at the first, on the clock of that day", () => {
    const traffic = parseTrace("1700000002.5\n1700000001\n", "t.csv");
    expect(traffic.startUs).toBe(1_700_000_001_000_000);
    expect([...traffic.arrivals(traffic.lengthUs!)].map(({ at }) => at)).toEqual([0, 1_500_000]);
  });

  test.each([
    ["nothing", "\n#\n", "t.csv has no requests"],
    [
      "a word",
      "0\nsoon\n",
      't.csv:2: an instant is a number of seconds, such as 12.5, or of milliseconds under a heading "ms", and this is "soon".',
    ],
    ["a time before the beginning", "-1\n", "t.csv:1"],
    ["a cost of nothing", "0,0\n", "t.csv:1: a cost is a whole number of at least 1"],
    ["a heading alone", "seconds,cost\n", "t.csv has no requests"],
  ])("of %s cannot be read", (_, text, words) => {
    expect(() => parseTrace(text, "t.csv")).toThrow(TrafficError);
    expect(() => parseTrace(text, "t.csv")).toThrow(words);
  });
});
