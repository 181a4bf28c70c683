/** The answer to the caller. */
import type { Verdict } from "../algorithm/algorithm.js";
import type { LimitLabel, Plan } from "../plan/plan.js";
import type { PlanVerdict, PolicyAnswer, Source, Store } from "../store/store.js";
import { combine, refusing, UNLIMITED } from "./combine.js";

/** How one limit of the rule stands. */
export interface LimitStatus extends LimitLabel, Verdict {}

export interface Decision extends Verdict {
  /** One for each limit of the rule, in its order. */
  readonly limits: readonly LimitStatus[];
  /** The limits that made it refuse; empty when allowed. */
  readonly refusedBy: readonly LimitStatus[];
  readonly source: Source;
  /** Only with source "fallback": which failure policy answered. */
  readonly policy?: PolicyAnswer;
  /** Only from a limiter in shadow mode: what it would have answered. */
  readonly shadow?: Decision;
}

const NOBODY: readonly LimitStatus[] = [];

/** A decision that knows what it charged, out of sight of whoever prints, compares or sends it. */
export class ChargedDecision implements Decision {
  declare policy?: PolicyAnswer;
  declare shadow?: ChargedDecision;
  readonly #store: Store;
  readonly #plan: Plan;
  readonly #verdict: PlanVerdict;
  /** How much has not been given back yet. */
  #left: number;

  constructor(
    readonly allowed: boolean,
    readonly remaining: number,
    readonly retryAfterMs: number,
    readonly resetAfterMs: number,
    readonly limits: readonly LimitStatus[],
    readonly refusedBy: readonly LimitStatus[],
    readonly source: Source,
    store: Store,
    plan: Plan,
    verdict: PlanVerdict,
  ) {
    this.#store = store;
    this.#plan = plan;
    this.#verdict = verdict;
    this.#left = verdict.charge === undefined ? 0 : plan.cost;
    if (verdict.policy !== undefined) this.policy = verdict.policy;
  }

  /** Whether a limiter gave this, and it is no copy. */
  static isOne(value: unknown): value is ChargedDecision {
    return typeof value === "object" && value !== null && #left in value;
  }

  /** How much it can still give back. */
  static leftOf(decision: ChargedDecision): number {
    return (decision.shadow ?? decision).#left;
  }

  static planOf(decision: ChargedDecision): Plan {
    return decision.#plan;
  }

  /** Gives up to `cost` units back; what is given back once is not given back again, whoever asks. */
  static async giveBack(decision: ChargedDecision, cost: number): Promise<void> {
    const { shadow } = decision;
    if (shadow !== undefined) return ChargedDecision.giveBack(shadow, cost);
    const units = Math.min(cost, decision.#left);
    if (units === 0) return;
    decision.#left -= units;
    await decision.#store.refund({ ...decision.#plan, cost: units }, decision.#verdict);
  }

  /** Lets everything pass, and carries along what would have been decided. */
  static inShadow(decision: ChargedDecision): ChargedDecision {
    const { remaining, resetAfterMs, limits, source } = decision;
    const passed = new ChargedDecision(
      true,
      remaining,
      0,
      resetAfterMs,
      limits,
      NOBODY,
      source,
      decision.#store,
      decision.#plan,
      decision.#verdict,
    );
    passed.shadow = decision;
    return passed;
  }
}

/** The store decides; its verdicts say why, and when to come back. */
export function decisionOn(plan: Plan, verdict: PlanVerdict, store: Store): ChargedDecision {
  const { allowed, verdicts, source } = verdict;
  const { tree, labels, checkOfLimit } = plan.shape;
  const combined = combine(tree, verdicts);
  const { remaining, resetAfterMs } = combined;
  const retryAfterMs = allowed ? 0 : Math.max(1, combined.retryAfterMs);
  const limits = new Array<LimitStatus>(labels.length);
  for (let limit = 0; limit < labels.length; limit += 1) {
    limits[limit] = statusOf(labels[limit]!, verdicts[checkOfLimit[limit]!]);
  }
  let refusedBy = NOBODY;
  if (!allowed) {
    const checks = refusing(tree, verdicts);
    refusedBy = limits.filter((_, limit) => checks.includes(checkOfLimit[limit]!));
  }
  return new ChargedDecision(
    allowed,
    remaining,
    retryAfterMs,
    resetAfterMs,
    limits,
    refusedBy,
    source,
    store,
    plan,
    verdict,
  );
}

function statusOf(
  { rule, selector, limit, windowMs }: LimitLabel,
  verdict: Verdict = UNLIMITED,
): LimitStatus {
  const { allowed, remaining, retryAfterMs, resetAfterMs } = verdict;
  return { allowed, remaining, retryAfterMs, resetAfterMs, rule, selector, limit, windowMs };
}
