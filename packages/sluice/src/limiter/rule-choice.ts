/** Rules that a function of the facts chooses: each distinct one is made ready once. */
import type { Facts } from "../plan/facts.js";
import { createPlanner, type Planner, type PlannerOptions } from "../plan/planner.js";
import { factsOf } from "../plan/selectors.js";
import { RuleError } from "../rule/diagnostic.js";
import { type RuleInput, toRule } from "../rule/input.js";
import { printRule } from "../rule/print.js";

/** Chooses the rule of a request, for plans and personal limits. */
export type RuleFunction = (facts: Facts) => RuleInput;

/** A caller who can choose the rule's text must not fill the memory with planners. */
const MOST_PLANNERS = 1000;

/** Objects and rules go by their canonical text. */
export function planByChoice(choose: RuleFunction, options: PlannerOptions): Planner {
  const planners = new Map<string, Planner>();
  /** The facts already hold all that can be found, so that planning does not look again. */
  const planning = { ...options, selectors: undefined, selector: undefined };

  function plannerFor(facts: Facts): Planner {
    const chosen: unknown = choose(facts);
    if (chosen instanceof Promise) {
      throw new RuleError("A function that chooses the rule must answer at once, and it returned a Promise.");
    }
    const text = typeof chosen === "string" ? chosen : printRule(toRule(chosen as RuleInput));
    const known = planners.get(text);
    if (known !== undefined) return known;
    const planner = createPlanner(toRule(text), planning);
    if (planners.size >= MOST_PLANNERS) planners.delete(planners.keys().next().value!);
    planners.set(text, planner);
    return planner;
  }

  return (call, cost) => {
    const facts = factsOf(call, options);
    return plannerFor(facts)({ facts }, cost);
  };
}
