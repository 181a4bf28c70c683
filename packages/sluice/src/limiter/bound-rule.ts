/** A rule bound to a store: plans a call, asks the store, reads its answer. */
import { ChargedDecision, type Decision, decisionOn } from "../decision/decision.js";
import { shown } from "../errors.js";
import { BadFact } from "../plan/facts.js";
import type { FailurePolicy } from "../plan/failure-policy.js";
import type { Plan } from "../plan/plan.js";
import { createPlanner, type Planner } from "../plan/planner.js";
import type { Call, SelectorOptions } from "../plan/selectors.js";
import { chargedAnyway } from "../plan/shape.js";
import type { Rule } from "../rule/rule.js";
import type { Answer, PlanVerdict, Store } from "../store/store.js";
import type { RecentCharges } from "./recent-charges.js";
import { planByChoice, type RuleFunction } from "./rule-choice.js";

export interface LimitOptions extends SelectorOptions, FailurePolicy {
  /** Names the counters; limiters with equal keys and equal rules share them. */
  readonly key?: string | undefined;
  /** What a request costs that does not say: a whole number, 1 when left out. */
  readonly cost?: number | undefined;
  /** A refused request is charged too, so that hammering keeps a client out until it pauses. */
  readonly countRefused?: boolean | undefined;
  /** Decide and report, but never refuse. */
  readonly shadow?: boolean | undefined;
  /**
   * The selector beside whose value all counters of a request are kept, so that a Cluster decides it in one call. They
   * then count within that value: with "tenant", `user:10/s` counts each user of each tenant.
   */
  readonly colocate?: string | undefined;
}

/** What is told of every request that was decided: `consume`, `wait`, `enter`, wrapped and decorated calls. */
export interface DecisionEvent {
  readonly key: string;
  readonly cost: number;
  readonly decision: Decision;
}

export interface Binding {
  readonly rule: Rule | RuleFunction;
  readonly options: LimitOptions;
  readonly namespace: string;
  readonly store: Store;
  readonly recent: RecentCharges;
  readonly onDecision: ((event: DecisionEvent) => void) | undefined;
}

const NOTHING_TO_CHECK: PlanVerdict = { allowed: true, verdicts: [], source: "store" };

export class BoundRule {
  private readonly key: string;
  private readonly shadow: boolean;
  private readonly planner: Planner;

  constructor(private readonly binding: Binding) {
    const { rule, options, namespace } = binding;
    const { key = "", countRefused = false, shadow = false } = options;
    const planning = { ...options, namespace, key, countRefused };
    this.key = key;
    this.shadow = shadow;
    this.planner = typeof rule === "function" ? planByChoice(rule, planning) : createPlanner(rule, planning);
  }

  /** Reads the selectors; who goes on with the plan does not read them again. */
  plan(call: Call, cost: number): Plan {
    checkFacts(call.facts);
    return this.planner(call, cost);
  }

  /** Answers at once when the store does, which spares the memory store a turn of promises. */
  decide(plan: Plan): Answer<Decision> {
    const answer = this.verdictOn(plan);
    return answer instanceof Promise
      ? answer.then((verdict) => this.report(plan, this.read(plan, verdict)))
      : this.report(plan, this.read(plan, answer));
  }

  /** Decides without a word to `onDecision`, for who asks again and again. */
  ask(plan: Plan): Answer<Decision> {
    const answer = this.verdictOn(plan);
    return answer instanceof Promise
      ? answer.then((verdict) => this.read(plan, verdict))
      : this.read(plan, answer);
  }

  private verdictOn(plan: Plan): Answer<PlanVerdict> {
    if (isEmpty(plan)) return NOTHING_TO_CHECK;
    const answer = this.binding.store.decide(plan);
    if (answer instanceof Promise) this.binding.recent.expect(answer);
    return answer;
  }

  report({ cost }: Plan, decision: Decision): Decision {
    this.binding.onDecision?.({ key: this.key, cost, decision });
    return decision;
  }

  async peek(plan: Plan): Promise<Decision> {
    return this.read(plan, isEmpty(plan) ? NOTHING_TO_CHECK : await this.binding.store.peek(plan));
  }

  /** Gives back the newest charges for these facts, as many of them as the cost takes. */
  async refundRecent(plan: Plan): Promise<void> {
    const { recent } = this.binding;
    const unanswered = recent.settled();
    if (unanswered !== undefined) await unanswered;
    const refunds: Promise<void>[] = [];
    let { cost } = plan;
    for (const charged of recent.matching(plan)) {
      if (cost === 0) break;
      const units = Math.min(cost, ChargedDecision.leftOf(charged));
      refunds.push(ChargedDecision.giveBack(charged, units));
      cost -= units;
    }
    await Promise.all(refunds);
  }

  async charge(plan: Plan): Promise<void> {
    if (!isEmpty(plan)) await this.binding.store.decide(chargedAnyway(plan));
  }

  async reset(plan: Plan): Promise<void> {
    if (!isEmpty(plan)) await this.binding.store.reset(plan);
  }

  private read(plan: Plan, verdict: PlanVerdict): Decision {
    const { store, recent } = this.binding;
    const decision = decisionOn(plan, verdict, store);
    if (verdict.charge !== undefined) recent.add(decision);
    return this.shadow ? ChargedDecision.inShadow(decision) : decision;
  }
}

function isEmpty({ identities }: Plan): boolean {
  return identities.length === 0;
}

function checkFacts(facts: unknown): void {
  if (facts === undefined || (typeof facts === "object" && facts !== null && !Array.isArray(facts))) return;
  throw new BadFact(`Facts are an object such as { user: "42" }, and these are ${shown(facts)}.`);
}
