/** Answers one question of the playground, in slices; the same code as `sluice explain` and `sluice simulate`. */
import { limitsOf, type Rule, toRule } from "sluice";
import { parseDuration } from "../../src/explain/duration.js";
import { explainRule } from "../../src/explain/explain-rule.js";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";
import { rulesFor } from "../../src/simulate/same-quota.js";
import { simulate } from "../../src/simulate/simulate.js";
import { TrafficError } from "../../src/simulate/traffic.js";
import { mistakeOf } from "./mistake.js";
import type { PlaygroundState } from "./state.js";
import { type Suited, suitedTo } from "./suited-traffic.js";
import type { Answer } from "./worker-messages.js";

const BINS = 120;
const MOST_REQUESTS = 200_000;
/** A request is checked by every limit of every rule, so rules with many limits get fewer requests. */
const MOST_CHECKS = 3_000_000;

type Part = Answer extends infer One ? (One extends Answer ? Omit<One, "number"> : never) : never;

/** Between two parts, whoever asks may stop asking. */
export async function* play(state: PlaygroundState): AsyncGenerator<Part> {
  let rule: Rule;
  try {
    rule = toRule(state.rule);
    yield { kind: "meaning", explanation: await explainRule(rule) };
  } catch (error) {
    yield { kind: "mistake", ...mistakeOf(error, "rule") };
    return;
  }
  try {
    const suited = suitedTo(rule);
    const played = { traffic: state.traffic ?? suited.traffic, length: state.length ?? suited.length };
    const steps = stepsOf(rulesFor(rule, state.compare), played);
    for (;;) {
      const step = await steps.next();
      if (step.done) {
        yield { kind: "runs", runs: step.value, played };
        return;
      }
      yield { kind: "progress", done: step.value.done };
    }
  } catch (error) {
    yield { kind: "mistake", ...mistakeOf(error, "traffic") };
  }
}

function stepsOf(rules: readonly Rule[], { traffic, length }: Suited): ReturnType<typeof simulate> {
  const lengthUs = parseDuration(length);
  if (lengthUs === undefined) throw new TrafficError("A time is a number and a unit, such as 30s or 5m.");
  const checks = rules.reduce((sum, rule) => sum + limitsOf(rule).length, 0);
  const mostRequests = Math.min(MOST_REQUESTS, Math.floor(MOST_CHECKS / checks));
  return simulate(rules, parseTraffic(traffic), { lengthUs, bins: BINS, mostRequests });
}
