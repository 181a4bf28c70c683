/** The decision: a plan, the states behind its checks and an instant in; verdicts out. evaluate.lua is its twin. */
import type { AlgorithmState, Verdict } from "../algorithm/algorithm.js";
import { admits, type Counter, type Plan } from "../plan/plan.js";
import type { Charge, PlanVerdict } from "./store.js";

/**
 * What a store is asked. The last two are for plans whose checks are kept in several places: `hold` charges the checks
 * that fit, unless these checks alone already refuse the whole plan; `charge` charges without asking.
 */
export type Operation = "decide" | "peek" | "refund" | "reset" | "hold" | "charge";

export interface Evaluation extends PlanVerdict {
  /** Whether the states have changed, and have to be kept. */
  readonly changed: boolean;
}

/**
 * `states` has one for each check, as `algorithm.create` makes it where there is none, and is changed in place. Whoever
 * keeps states may drop one whose verdict says `resetAfterMs` 0: it is as good as none. `generation` is a number that no
 * state of these keys has had before, from 1. A refund is given the verdict of what it gives back.
 */
export function evaluate(
  operation: Operation,
  plan: Plan,
  states: AlgorithmState[],
  now: number,
  generation: number,
  given?: PlanVerdict,
): Evaluation {
  const { counters } = plan.shape;
  if (operation === "reset") return reset(counters, states);
  let healed = false;
  for (let check = 0; check < counters.length; check += 1) {
    const { algorithm, params } = counters[check]!;
    if (algorithm.heal(states[check]!, params, now)) healed = true;
  }
  if (operation === "decide") return decide(plan, states, now, generation, healed);
  if (operation === "hold") return hold(plan, states, now, generation, healed);
  if (operation === "charge") chargeAll(plan, states, now);
  if (operation === "refund") refund(plan, states, now, given!);
  const verdicts = judgeAll(plan, states, now);
  const allowed = admits(plan.shape.tree, verdicts);
  return { allowed, verdicts, source: "store", charge: undefined, changed: healed || operation !== "peek" };
}

/** All checks are charged or none is. A refusal is charged too where refusals count. */
function decide(
  plan: Plan,
  states: AlgorithmState[],
  now: number,
  generation: number,
  healed: boolean,
): Evaluation {
  const { shape, cost } = plan;
  const { counters, countRefused } = shape;
  /** The usual plan is one check: asked and charged in one step, without the lists that several need. */
  if (shape.tree === 0 && !countRefused) {
    const { algorithm, params } = counters[0]!;
    const verdict = algorithm.take(states[0]!, params, cost, now);
    const { allowed } = verdict;
    const charge = allowed ? chargeOf(plan, states, now, generation) : undefined;
    return { allowed, verdicts: [verdict], source: "store", charge, changed: allowed || healed };
  }
  const before = judgeAll(plan, states, now);
  const allowed = admits(plan.shape.tree, before);
  if (!allowed && !countRefused) {
    return { allowed, verdicts: before, source: "store", charge: undefined, changed: healed };
  }
  chargeAll(plan, states, now);
  const after = judgeAll(plan, states, now);
  if (!allowed) return { allowed, verdicts: after, source: "store", charge: undefined, changed: true };
  const verdicts = after.map((verdict, check) => (before[check]!.allowed ? admitted(verdict) : verdict));
  return {
    allowed,
    verdicts,
    source: "store",
    charge: chargeOf(plan, states, now, generation),
    changed: true,
  };
}

/** Charges what fits, if only what is elsewhere can still refuse. */
function hold(
  plan: Plan,
  states: AlgorithmState[],
  now: number,
  generation: number,
  healed: boolean,
): Evaluation {
  const { shape, cost } = plan;
  const verdicts = judgeAll(plan, states, now);
  const allowed = admits(plan.shape.tree, verdicts);
  if (!allowed) return { allowed, verdicts, source: "store", charge: undefined, changed: healed };
  shape.counters.forEach(({ algorithm, params }, check) => {
    if (verdicts[check]!.allowed) verdicts[check] = algorithm.take(states[check]!, params, cost, now);
  });
  return {
    allowed,
    verdicts,
    source: "store",
    charge: chargeOf(plan, states, now, generation),
    changed: true,
  };
}

/** Beyond its limit, a charge displaced what was there, and gives nothing back. */
function refund(
  { shape, cost }: Plan,
  states: AlgorithmState[],
  now: number,
  { verdicts, charge }: PlanVerdict,
): void {
  if (charge === undefined) return;
  const { cost: charged, instant, marks } = charge as Charge;
  shape.counters.forEach(({ algorithm, params }, check) => {
    const state = states[check]!;
    if (!verdicts[check]!.allowed || state.generation !== marks[2 * check]) return;
    algorithm.refund(state, params, cost, now, { cost: charged, instant, mark: marks[2 * check + 1]! });
  });
}

function reset(counters: readonly Counter[], states: AlgorithmState[]): Evaluation {
  counters.forEach(({ algorithm }, check) => {
    states[check] = algorithm.create();
  });
  return { allowed: true, verdicts: [], source: "store", charge: undefined, changed: true };
}

function judgeAll({ shape, cost }: Plan, states: readonly AlgorithmState[], now: number): Verdict[] {
  const { counters } = shape;
  const verdicts = new Array<Verdict>(counters.length);
  for (let check = 0; check < counters.length; check += 1) {
    const { algorithm, params } = counters[check]!;
    verdicts[check] = algorithm.judge(states[check]!, params, cost, now);
  }
  return verdicts;
}

function chargeAll({ shape, cost }: Plan, states: readonly AlgorithmState[], now: number): void {
  const { counters } = shape;
  for (let check = 0; check < counters.length; check += 1) {
    const { algorithm, params } = counters[check]!;
    algorithm.charge(states[check]!, params, cost, now);
  }
}

/** What fitted in an admitted plan was allowed, whatever would fit now. */
function admitted({ remaining, resetAfterMs }: Verdict): Verdict {
  return { allowed: true, remaining, retryAfterMs: 0, resetAfterMs };
}

/** How this charge is known again. A state that has no generation begins this one. */
function chargeOf(
  { shape: { counters }, cost }: Plan,
  states: readonly AlgorithmState[],
  now: number,
  generation: number,
): Charge {
  const marks = new Array<number>(2 * counters.length);
  for (let check = 0; check < counters.length; check += 1) {
    const state = states[check]!;
    if (state.generation === 0) state.generation = generation;
    marks[2 * check] = state.generation;
    marks[2 * check + 1] = counters[check]!.algorithm.mark?.(state) ?? 0;
  }
  return { cost, instant: now, marks };
}
