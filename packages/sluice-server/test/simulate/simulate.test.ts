/** Simulations: what is admitted, when it is refused, and that it is the same every time and everywhere. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { ALGORITHM_NAMES, createSluice, memoryStore, printRule, toRule } from "sluice";
import { manualClock } from "sluice/testing";
import { describe, expect, test } from "vitest";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";
import { underAlgorithm } from "../../src/simulate/same-quota.js";
import { finished, type Progress, simulate } from "../../src/simulate/simulate.js";
import type { Run } from "../../src/simulate/tally.js";
import { parseTrace } from "../../src/simulate/trace.js";
import { type Traffic, TrafficError } from "../../src/simulate/traffic.js";

const SECOND = 1_000_000;

async function play(rule: string, traffic: string | Traffic, seconds: number, bins = 4): Promise<Run> {
  const played = typeof traffic === "string" ? parseTraffic(traffic) : traffic;
  const [run] = await finished(simulate([toRule(rule)], played, { lengthUs: seconds * SECOND, bins }));
  return run!;
}

test("what is offered and what is admitted, bin by bin", async () => {
  expect(await play("2/s", "steady:4/s", 4)).toEqual({
    rule: "2/s",
    traffic: "steady:4/s",
    lengthMs: 4000,
    binMs: 1000,
    offered: { requests: 16, units: 16 },
    admitted: { requests: 8, units: 8 },
    refused: { requests: 8, units: 8 },
    bins: [0, 1000, 2000, 3000].map((atMs) => ({ atMs, offered: 4, admitted: 2 })),
    peaks: [{ rule: "2/s", limit: 2, windowMs: 1000, most: 2, fromMs: 0, untilMs: 250, key: null }],
    firstRefusalMs: 500,
    worstRetryMs: 500,
    neverFit: 0,
  });
});

test("nothing refused is told as nothing", async () => {
  const run = await play("100/s", "steady:1/s", 3);
  expect([run.firstRefusalMs, run.worstRetryMs, run.refused.requests]).toEqual([null, null, 0]);
});

test("costs count, keys are counted apart, and what can never fit is told", async () => {
  const trace = parseTrace("s,key,cost\n0,ada,3\n0.1,bob,2\n0.2,ada,3\n0.3,bob,2\n0.4,ada,9\n", "t");
  const run = await play("user:5/s or 100/s", trace, 1, 1);
  expect(run.offered).toEqual({ requests: 5, units: 19 });
  expect(run.admitted).toEqual({ requests: 3, units: 7 });
  expect(run.peaks.map(({ most, key }) => [most, key])).toEqual([
    [4, "bob"],
    [7, null],
  ]);
  expect([run.neverFit, run.worstRetryMs]).toEqual([1, 800]);
});

test("windows of the clock are those of a trace's own dates", async () => {
  const trace = parseTrace("1700000008\n1700000009\n1700000010\n", "t");
  const run = await play("1/10s fixed-window", trace, 3, 3);
  expect(run.bins.map(({ admitted }) => admitted)).toEqual([1, 0, 1]);
});

test("all rules meet the same requests, and each is as if it were alone", async () => {
  const rules = ALGORITHM_NAMES.map((name) => underAlgorithm(toRule("user:10/10s"), name));
  const traffic = parseTraffic("poisson:3/s,4");
  const together = await finished(simulate(rules, traffic, { lengthUs: 60 * SECOND, bins: 10 }));
  for (const [index, rule] of rules.entries()) {
    expect(together[index]).toEqual(await play(printRule(rule), "poisson:3/s,4", 60, 10));
  }
  expect(together.map(({ peaks }) => peaks[0]!.most)).toEqual([10, 11, 16, 11, 19, 18]);
});

test("is what the library decides, and the fullest window is that of brute force", async () => {
  const rule = fc.constantFrom(
    ...ALGORITHM_NAMES.map((name) => printRule(underAlgorithm(toRule("4/s"), name))),
  );
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(rule, gaps, async (text, steps) => {
      let at = 0;
      const instants = steps.map((gap) => {
        at += gap;
        return at;
      });
      const clock = manualClock();
      const limiter = createSluice({ store: memoryStore({ clock }) }).limit(text);
      const admitted: number[] = [];
      for (const instant of instants) {
        clock.set(instant * 1000);
        if ((await limiter.consume()).allowed) admitted.push(instant);
      }
      const trace = parseTrace(`ms\n${instants.join("\n")}`, "t");
      const run = await play(text, trace, at / 1000 + 0.001, 7);
      const within = admitted.map((end) => admitted.filter((one) => one <= end && one > end - 1000).length);
      expect(run.admitted.requests).toBe(admitted.length);
      expect(run.peaks[0]!.most).toBe(Math.max(0, ...within));
      expect(run.bins.reduce((sum, bin) => sum + bin.admitted, 0)).toBe(admitted.length);
      expect(run.bins.reduce((sum, bin) => sum + bin.offered, 0)).toBe(instants.length);
    }),
    { numRuns: 200 },
  );
});

describe("long runs", () => {
  test("come in slices that tell how far they are", async () => {
    const told: Progress[] = [];
    const work = simulate([toRule("10/s")], parseTraffic("steady:1000/s"), {
      lengthUs: 20 * SECOND,
      bins: 5,
    });
    await finished(work, (progress) => void told.push(progress));
    expect(told.map(({ requests }) => requests)).toEqual([5_000, 10_000, 15_000, 20_000]);
    expect(told.map(({ done }) => done.toFixed(2))).toEqual(["0.25", "0.50", "0.75", "1.00"]);
  });

  test("may be left half way", async () => {
    const work = simulate([toRule("10/s")], parseTraffic("steady:1000/s"), {
      lengthUs: 20 * SECOND,
      bins: 5,
    });
    await work.next();
    expect((await work.return([])).done).toBe(true);
  });

  test.each(["steady:1000000/s", "burst:5000001/h", "ramp:0/s..1000000/s", "poisson:1000000/s"])(
    "that are too long are refused at once: %s",
    async (traffic) => {
      await expect(play("10/s", traffic, 60)).rejects.toThrow(TrafficError);
      await expect(play("10/s", traffic, 60)).rejects.toThrow("a simulation plays at most 5,000,000");
    },
  );

  test("stop where chance makes far more of them than expected", async () => {
    const options = { lengthUs: SECOND, bins: 5, mostRequests: 10 };
    const traffic = parseTraffic("poisson:10/s,13");
    expect(traffic.expected(SECOND)).toBe(10);
    await expect(finished(simulate([toRule("10/s")], traffic, options))).rejects.toThrow("at most 10.");
  });
});

test.each([
  ["10/s", "gcra", "10/s gcra"],
  ["10/s burst 20", "sliding-log", "10/s"],
  ["10/s burst 20", "gcra", "10/s burst 20"],
  ["user+ip:10/s:0.1", "ar1", "user+ip:10/s:100ms ar1"],
  ["10/s:0.1", "fixed-window", "10/s fixed-window"],
  ["a:1/s and (b:2/s or 3/m)", "gcra", "a:1/s gcra and (b:2/s gcra or 3/m gcra)"],
  ["10/0.5ms", "sliding-counter", "10/0.5ms sliding-counter"],
] as const)("%s under %s", (rule, algorithm, expected) => {
  expect(printRule(underAlgorithm(toRule(rule), algorithm))).toBe(expected);
});

describe("runs in a browser too", () => {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const files = ["simulate", "explain"].flatMap((folder) =>
    readdirSync(`${src}/${folder}`).map((file) => `${folder}/${file}`),
  );

  test.each(files)("%s takes nothing from Node, from a page or from elsewhere", (file) => {
    const text = readFileSync(`${src}/${file}`, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const imports = [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name!);
    expect(
      imports.filter((name) => !/^(sluice(\/http)?$|\.\/|\.\.\/(explain|simulate)\/)/.test(name)),
    ).toEqual([]);
    expect(text).not.toMatch(
      /\b(process|Buffer|globalThis|window|document|setTimeout|setImmediate|performance|require)\b[.(]/,
    );
  });
});
