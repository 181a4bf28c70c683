/** Rules made ready for requests: compiled once each, also where a function of the facts chooses. */
import { createDecider, type Decider } from "../decision/decision.js";
import type { Facts } from "../plan/facts.js";
import type { Plan } from "../plan/plan.js";
import { createPlanner, type Planner, type PlannerOptions } from "../plan/planner.js";
import { type Call, factsOf } from "../plan/selectors.js";
import { type RuleInput, toRule } from "../rule/input.js";
import { printRule } from "../rule/print.js";
import type { Rule } from "../rule/rule.js";

/** Chooses the rule of a request, for plans and personal limits. */
export type RuleFunction = (facts: Facts) => RuleInput;

export interface CompiledRule {
  readonly planner: Planner;
  readonly decider: Decider;
}

/** A caller who can choose the rule's text must not fill the memory with compiled rules. */
const MOST_COMPILED = 1000;

export function compileRule(rule: Rule, options: PlannerOptions): CompiledRule {
  return { planner: createPlanner(rule, options), decider: createDecider(rule) };
}

/** Compiles each distinct text once, of which the newest thousand are kept; objects go by their canonical text. */
export function createRuleChoice(
  choose: RuleFunction,
  options: PlannerOptions,
): (call: Call, cost: number) => { readonly plan: Plan; readonly decider: Decider } {
  const known = new Map<string, CompiledRule>();
  /** The facts already hold all that can be found, so that planning does not look again. */
  const planning = { ...options, selectors: undefined, selector: undefined };

  function compiledFor(facts: Facts): CompiledRule {
    const chosen = choose(facts);
    const text = typeof chosen === "string" ? chosen : printRule(toRule(chosen));
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const compiled = compileRule(toRule(text), planning);
    if (known.size >= MOST_COMPILED) known.delete(known.keys().next().value!);
    known.set(text, compiled);
    return compiled;
  }

  return (call, cost) => {
    const facts = factsOf(call, options);
    const { planner, decider } = compiledFor(facts);
    return { plan: planner({ facts }, cost), decider };
  };
}
