/** What is said of a rule is true of the library. */
import fc from "fast-check";
import { ALGORITHM_NAMES, type Limit, RuleError, toRule } from "sluice";
import { describe, expect, test } from "vitest";
import { accuracyOf } from "../../src/explain/accuracy.js";
import { explainRule } from "../../src/explain/explain-rule.js";
import { explanationText } from "../../src/explain/explanation-text.js";
import { underAlgorithm } from "../../src/simulate/same-quota.js";
import { finished, simulate } from "../../src/simulate/simulate.js";
import { parseTrace } from "../../src/simulate/trace.js";

test("one limit, as a whole", async () => {
  expect(explanationText(await explainRule("user:10/s burst 20"), 90)).toBe(`user:10/s burst 20

  Each user: 10 in a second, evenly: up to 20 at once, then one every 100 ms

  algorithm   gcra, what a burst means, here apart from the rate. It is a bucket that
              holds the burst and refills at an even rate.
  accuracy    Exact, and it never drifts. After a pause the burst comes on top of the
              rate: up to 29 in 1 second.
  retry       Room comes back one by one, at the even rate. The wait is exact.
  memory      about 290 bytes per key in the memory store, about 220 bytes in Redis
  key         sluice:{user:user-12345}::gcra2,10,1000000,20

  headers after one request
    RateLimit-Policy: "user:10/s burst 20";q=10;w=1;sluice-burst=20
    RateLimit: "user:10/s burst 20";r=19;t=1
  headers when refused
    RateLimit-Policy: "user:10/s burst 20";q=10;w=1;sluice-burst=20
    RateLimit: "user:10/s burst 20";r=0;t=1
    Retry-After: 1
`);
});

test("several limits, each with its own lines", async () => {
  const { limits, selectors, headers } = await explainRule("ip:5/m or (user:20/h and apikey:100/h:1m)");
  expect(limits.map(({ rule, algorithm }) => [rule, algorithm])).toEqual([
    ["ip:5/m", "sliding-log"],
    ["user:20/h", "sliding-log"],
    ["apikey:100/h:1m", "sliding-window"],
  ]);
  expect(selectors).toEqual(["ip", "user", "apikey"]);
  expect(headers.afterOneRequest).toEqual({
    "RateLimit-Policy": '"ip:5/m";q=5;w=60,"user:20/h";q=20;w=3600,"apikey:100/h:1m";q=100;w=3600',
    RateLimit: '"ip:5/m";r=4;t=60,"user:20/h";r=19;t=3600,"apikey:100/h:1m";r=99;t=3568',
  });
  expect(headers.whenRefused?.["Retry-After"]).toBe("60");
});

test("a limit of nothing tells nobody to come back", async () => {
  const { headers, limits } = await explainRule("0/s");
  expect(headers.whenRefused).toEqual({ "RateLimit-Policy": '"0/s";q=0;w=1', RateLimit: '"0/s";r=0' });
  expect(limits[0]!.retry).toContain("Waiting does not help");
});

test("words are broken at the width of the terminal", async () => {
  const lines = explanationText(await explainRule("user:10/5m:1s"), 60).split("\n");
  const broken = lines.slice(
    lines.findIndex((line) => line.includes("algorithm")),
    lines.findIndex((line) => line.includes("key  ")),
  );
  expect(broken.length).toBeGreaterThan(6);
  expect(Math.max(...broken.map((line) => line.length))).toBeLessThanOrEqual(60);
});

test("what is no rule is refused with its caret", async () => {
  await expect(explainRule("10/sec")).rejects.toThrow(RuleError);
});

test("a rule of 256 limits is explained too", async () => {
  const rule = Array.from({ length: 256 }, (_, index) => `u${index}:${index + 1}/m`).join(" and ");
  expect((await explainRule(rule)).limits).toHaveLength(256);
});

test("a rule that would fill the memory is explained without an example of a refusal", async () => {
  const rule = Array.from({ length: 200 }, (_, index) => `u${index}:10000000/d`).join(" or ");
  expect((await explainRule(rule)).headers.whenRefused).toBeNull();
});

describe("the worst case", () => {
  const SPAN_MS = 1_000;

  /** Bursts and gaps of all sizes, so that boundaries and edges are met. */
  const arrivals = fc.array(
    fc.record({
      gap: fc.oneof(fc.nat(40), fc.constantFrom(0, 1, 333, 334, 499, 500, 999, 1000)),
      cost: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 120 },
  );

  async function mostAdmitted(
    limit: Limit,
    traffic: readonly { readonly gap: number; readonly cost: number }[],
  ) {
    let at = 0;
    const lines = traffic.map(({ gap, cost }) => {
      at += gap;
      return `${at},${cost}`;
    });
    const trace = parseTrace(`ms,cost\n${lines.join("\n")}`, "trace");
    const [run] = await finished(simulate([limit], trace, { lengthUs: trace.lengthUs!, bins: 1 }));
    return run!.peaks[0]!.most;
  }

  test.each(ALGORITHM_NAMES)("of %s is never passed", async (name) => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 12 }), async (traffic, count) => {
        const limit = underAlgorithm(
          toRule({ limit: count, per: SPAN_MS, precision: "300ms" }),
          name,
        ) as Limit;
        expect(await mostAdmitted(limit, traffic)).toBeLessThanOrEqual(accuracyOf(limit).mostInAnyWindow);
      }),
      { numRuns: 150 },
    );
  });

  const ms = (from: number, count: number, gap = 0) =>
    Array.from({ length: count }, (_, index) => from + index * gap);
  test.each([
    ["5/s", [...ms(0, 9), ...ms(1_000, 9)], 5],
    ["5/s:100ms", [...ms(99, 5), ...ms(1_000, 5)], 10],
    ["5/s fixed-window", [...ms(999, 5), ...ms(1_000, 5)], 10],
    ["5/s burst 8", ms(0, 100, 10), 12],
  ])("of %s is reached", async (rule, instants, most) => {
    const limit = toRule(rule) as Limit;
    const gaps = instants.map((at, index) => ({ gap: at - (instants[index - 1] ?? 0), cost: 1 }));
    expect(accuracyOf(limit).mostInAnyWindow).toBe(most);
    expect(await mostAdmitted(limit, gaps)).toBe(most);
  });
});
