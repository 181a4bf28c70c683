/** What a link holds, and what the fields make of it. */
import fc from "fast-check";
import { ALGORITHM_NAMES } from "sluice";
import { expect, test } from "vitest";
import {
  ALGORITHMS,
  commandFor,
  FIRST,
  linkTo,
  type PlaygroundState,
  stateIn,
} from "../../page/playground/state.js";
import { LENGTHS, PAUSES, placeOf, RATES, SIZES } from "../../page/playground/steps.js";
import { mended, readTraffic, USUAL_PARTS, writeTraffic } from "../../page/playground/traffic-parts.js";
import { parseFragment } from "../../page/route.js";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";

test("there is a box for every algorithm", () => {
  expect([...ALGORITHMS].sort()).toEqual([...ALGORITHM_NAMES].sort());
});

test("a link reproduces what is shown", () => {
  const text = fc.string({ unit: "binary", maxLength: 50 }).filter((words) => !/\p{Surrogate}/u.test(words));
  const state: fc.Arbitrary<PlaygroundState> = fc.record({
    rule: text,
    traffic: fc.option(text, { nil: undefined }),
    length: fc.option(text, { nil: undefined }),
    compare: fc.subarray([...ALGORITHMS]),
  });
  fc.assert(
    fc.property(state, (shown) => {
      const { view, query } = parseFragment(linkTo(shown));
      expect(view).toBe("playground");
      expect(stateIn(query)).toEqual(shown);
    }),
  );
});

test.each<[string, string, object]>([
  ["no rule", "#playground", FIRST],
  [
    "only a rule",
    "#playground?rule=10%2Fs",
    { rule: "10/s", traffic: undefined, length: undefined, compare: [] },
  ],
  ["unknown algorithms", "#playground?rule=1%2Fs&compare=gcra,evil,%3Cb%3E", { compare: ["gcra"] }],
  ["more than anybody types", `#playground?rule=${"x".repeat(9_000)}`, { rule: "x".repeat(2_000) }],
  ["broken escapes", "#playground?rule=%zz%", { rule: "%zz%" }],
])("a link with %s", (_, link, expected) => {
  expect(stateIn(parseFragment(link).query)).toMatchObject(expected);
});

test.each(["", "#", "#nowhere", "#live", "#live?limit=x", "#__proto__", "#javascript:alert(1)"])(
  "%j is the live view",
  (fragment) => {
    expect(parseFragment(fragment).view).toBe("live");
  },
);

test("the command for a terminal is quoted", () => {
  expect(commandFor(FIRST)).toBe(
    "sluice simulate 100/m --traffic burst:80/45s --for 5m --compare fixed-window gcra",
  );
  const hostile = { rule: "1/s'; rm -rf ~ '", traffic: "$(id)", length: "1m", compare: [] };
  expect(commandFor(hostile)).toBe(
    String.raw`sluice simulate '1/s'\''; rm -rf ~ '\''' --traffic '$(id)' --for 1m`,
  );
});

test.each(["steady:20/s", "poisson:20/m", "poisson:20/s,7", "burst:50/10s", "ramp:1/s..50/s"])(
  "%s is read into the fields and written from them",
  (text) => {
    expect(writeTraffic(readTraffic(text, USUAL_PARTS))).toBe(text);
    expect(parseTraffic(text).text).toBe(text);
  },
);

test("what a link has made unreadable is mended when a slider is moved", () => {
  const broken = readTraffic("burst:<b>/<i>", readTraffic("ramp:<b>..<i>", USUAL_PARTS));
  const kinds = ["steady", "burst", "poisson", "ramp"] as const;
  expect(kinds.map((kind) => writeTraffic(mended({ ...broken, kind })))).toEqual([
    "steady:1/h",
    "burst:1/100ms",
    "poisson:1/h",
    "ramp:1/h..1/h",
  ]);
});

test.each(["", "flood:1/s", "burst", "<b>"])("%j leaves the fields as they were", (text) => {
  expect(readTraffic(text, USUAL_PARTS)).toBe(USUAL_PARTS);
});

test.each([
  ["rates", RATES],
  ["sizes", SIZES],
  ["pauses", PAUSES],
  ["lengths", LENGTHS],
])("each of the %s is its own place, and more than the one before", (_, steps) => {
  const amounts = steps.texts.map((text) => steps.amountOf(text)!);
  expect(amounts).toEqual([...amounts].sort((one, other) => one - other));
  expect(new Set(amounts).size).toBe(amounts.length);
  expect(steps.texts.map((text) => placeOf(steps, text))).toEqual(steps.texts.map((__, place) => place));
});

test.each([
  [RATES, "17/s", "15/s"],
  [RATES, "100/h", "2/m"],
  [RATES, "99999/ms", "1000/s"],
  [RATES, "nonsense", "1/h"],
  [PAUSES, "44s", "45s"],
  [SIZES, "0", "1"],
])("the nearest place %#", (steps, text, expected) => {
  expect(steps.texts[placeOf(steps, text)]).toBe(expected);
});

test("what stands beside a slider", () => {
  expect(RATES.inWords("20/m")).toBe("20 per minute");
  expect(RATES.inWords("<b>")).toBe("<b>");
  expect(PAUSES.inWords("45s")).toBe("45 seconds");
  expect(SIZES.inWords("1000")).toBe("1,000 at once");
});
