/** A rule bound to a store: plans a call, asks the store, reads its answer. */
import type { Decider, Decision } from "../decision/decision.js";
import { shown } from "../errors.js";
import { BadFact } from "../plan/facts.js";
import type { Plan } from "../plan/plan.js";
import type { Call, SelectorOptions } from "../plan/selectors.js";
import type { Rule } from "../rule/rule.js";
import type { Answer, PlanVerdict, Store } from "../store/store.js";
import { compileRule, createRuleChoice, type RuleFunction } from "./compiled-rules.js";

export interface LimitOptions extends SelectorOptions {
  /** Names the counters; limiters with equal keys and equal rules share them. */
  readonly key?: string | undefined;
  /** What a request costs that does not say: a whole number, 1 when left out. */
  readonly cost?: number | undefined;
  /** A refused request is charged too, so that hammering keeps a client out until it pauses. */
  readonly countRefused?: boolean | undefined;
  /** Decide and report, but never refuse. */
  readonly shadow?: boolean | undefined;
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
  readonly onDecision: ((event: DecisionEvent) => void) | undefined;
}

/** One request, planned: its selectors have been read and are not read again. */
export interface Planned {
  readonly plan: Plan;
  readonly decider: Decider;
}

const NOTHING_TO_CHECK: PlanVerdict = { allowed: true, verdicts: [], source: "store" };

export class BoundRule {
  private readonly key: string;
  private readonly planCall: (call: Call, cost: number) => Planned;

  constructor(private readonly binding: Binding) {
    const { rule, options, namespace } = binding;
    const { key = "", countRefused = false } = options;
    const planning = { ...options, namespace, key, countRefused };
    this.key = key;
    if (typeof rule === "function") {
      this.planCall = createRuleChoice(rule, planning);
    } else {
      const { planner, decider } = compileRule(rule, planning);
      this.planCall = (call, cost) => ({ plan: planner(call, cost), decider });
    }
  }

  plan(call: Call, cost: number): Planned {
    checkFacts(call.facts);
    return this.planCall(call, cost);
  }

  /** Answers at once when the store does, which spares the memory store a turn of promises. */
  decide(planned: Planned): Answer<Decision> {
    const answer = this.ask(planned);
    return answer instanceof Promise
      ? answer.then((decision) => this.report(planned, decision))
      : this.report(planned, answer);
  }

  /** Decides without a word to `onDecision`, for who asks again and again. */
  ask(planned: Planned): Answer<Decision> {
    const { plan } = planned;
    const answer = isEmpty(plan) ? NOTHING_TO_CHECK : this.binding.store.decide(plan);
    return answer instanceof Promise
      ? answer.then((verdict) => this.read(planned, verdict))
      : this.read(planned, answer);
  }

  report({ plan: { cost } }: Planned, decision: Decision): Decision {
    this.binding.onDecision?.({ key: this.key, cost, decision });
    return decision;
  }

  async peek(planned: Planned): Promise<Decision> {
    const { plan } = planned;
    return this.read(planned, isEmpty(plan) ? NOTHING_TO_CHECK : await this.binding.store.peek(plan));
  }

  async refund({ plan }: Planned): Promise<void> {
    if (!isEmpty(plan)) await this.binding.store.refund(plan);
  }

  async reset({ plan }: Planned): Promise<void> {
    if (!isEmpty(plan)) await this.binding.store.reset(plan);
  }

  private read({ plan, decider }: Planned, verdict: PlanVerdict): Decision {
    const decision = decider(plan, verdict);
    return this.binding.options.shadow === true ? inShadow(decision) : decision;
  }
}

function isEmpty(plan: Plan): boolean {
  return plan.checks.length === 0;
}

/** Lets everything pass, and carries along what would have been decided. */
function inShadow(decision: Decision): Decision {
  return { ...decision, allowed: true, retryAfterMs: 0, refusedBy: [], shadow: decision };
}

function checkFacts(facts: unknown): void {
  if (facts === undefined || (typeof facts === "object" && facts !== null && !Array.isArray(facts))) return;
  throw new BadFact(`Facts are an object such as { user: "42" }, and these are ${shown(facts)}.`);
}
