/** What the playground's worker answers: the same as `sluice explain` and `sluice simulate`. */
import { toRule } from "sluice";
import { expect, test } from "vitest";
import { play } from "../../page/playground/play.js";
import type { PlaygroundState } from "../../page/playground/state.js";
import { suitedTo } from "../../page/playground/suited-traffic.js";
import { explainRule } from "../../src/explain/explain-rule.js";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";
import { rulesFor } from "../../src/simulate/same-quota.js";
import { finished, simulate } from "../../src/simulate/simulate.js";

const STATE: PlaygroundState = {
  rule: "100/m",
  traffic: "burst:80/45s",
  length: "5m",
  compare: ["fixed-window"],
};

async function answers(state: Partial<PlaygroundState>) {
  const parts = [];
  for await (const part of play({ ...STATE, ...state })) parts.push(part);
  return parts;
}

test("explains and simulates", async () => {
  const rules = rulesFor(toRule("100/m"), ["fixed-window"]);
  const options = { lengthUs: 300_000_000, bins: 120 };
  expect(await answers({})).toEqual([
    { kind: "meaning", explanation: await explainRule("100/m") },
    {
      kind: "runs",
      runs: await finished(simulate(rules, parseTraffic("burst:80/45s"), options)),
      played: { traffic: "burst:80/45s", length: "5m" },
    },
  ]);
});

test("a mistake in the rule comes with its caret", async () => {
  expect(await answers({ rule: "ip:5/sec" })).toEqual([
    {
      kind: "mistake",
      where: "rule",
      problem: 'Expected a unit of time (ms, s, m, h, d, w), and got "sec".',
      excerpt: "  ip:5/sec\n       ^^^",
      suggestion: 'Did you mean "ip:5/s"?',
    },
  ]);
  expect(await answers({ rule: "" })).toMatchObject([{ kind: "mistake", where: "rule" }]);
});

test.each<[string, Partial<PlaygroundState>, RegExp]>([
  ["unknown traffic", { traffic: "flood:1/s" }, /^Traffic is steady/],
  ["no time", { length: "soon" }, /^A time is a number and a unit/],
  ["too much of it", { traffic: "steady:1000/s", length: "1h" }, /plays at most 200,000\./],
])("a mistake in the traffic: %s", async (_, state, problem) => {
  const [meaning, mistake] = await answers(state);
  expect(meaning).toMatchObject({ kind: "meaning" });
  expect(mistake).toMatchObject({
    kind: "mistake",
    where: "traffic",
    problem: expect.stringMatching(problem),
  });
});

test("a rule with many limits plays fewer requests", async () => {
  const rule = Array.from({ length: 60 }, (_, place) => `s${place}:1/s`).join(" or ");
  const parts = await answers({ rule, traffic: "steady:100/s", length: "20m" });
  expect(parts.at(-1)).toMatchObject({ problem: expect.stringContaining("plays at most 25,000.") });
});

test("tells how far it is", async () => {
  const parts = await answers({ traffic: "steady:50/s", length: "5m", compare: [] });
  const steps = parts.flatMap((part) => (part.kind === "progress" ? [part.done] : []));
  expect(steps).toHaveLength(3);
  expect(steps).toEqual([...steps].sort());
});

test.each([
  ["100/m", "burst:80/45s", "5m"],
  ["user:20/h", "burst:16/45m", "5h"],
  ["1/s", "burst:1/750ms", "5s"],
  ["0/d", "burst:1/18h", "5d"],
])("%s is tried with %s for %s", (rule, traffic, length) => {
  expect(suitedTo(toRule(rule))).toEqual({ traffic, length });
  expect(parseTraffic(traffic).text).toBe(traffic);
});
