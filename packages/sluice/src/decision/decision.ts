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

/** What a decision charged, and how much of it has not been given back yet. */
export interface Charged {
  readonly store: Store;
  readonly plan: Plan;
  readonly verdict: PlanVerdict;
  left: number;
}

/** A decision that knows its charge, out of sight of whoever prints, compares or sends it. */
class ChargedDecision implements Decision {
  declare policy?: PolicyAnswer;
  declare shadow?: Decision;
  readonly #charged: Charged | undefined;

  constructor(
    readonly allowed: boolean,
    readonly remaining: number,
    readonly retryAfterMs: number,
    readonly resetAfterMs: number,
    readonly limits: readonly LimitStatus[],
    readonly refusedBy: readonly LimitStatus[],
    readonly source: Source,
    charged: Charged | undefined,
  ) {
    this.#charged = charged;
  }

  static chargedBy(decision: object): Charged | undefined {
    return #charged in decision ? decision.#charged : undefined;
  }

  static isOne(value: unknown): value is ChargedDecision {
    return typeof value === "object" && value !== null && #charged in value;
  }
}

/** Whether this is a decision that a limiter gave, and not a copy of one. */
export function isDecision(value: unknown): value is Decision {
  return ChargedDecision.isOne(value);
}

/** Undefined where nothing was charged. */
export function chargedBy(decision: Decision): Charged | undefined {
  return ChargedDecision.chargedBy(decision);
}

/** Gives up to `cost` units back; what is given back once is not given back again, whoever asks. */
export async function giveBack(charged: Charged, cost = charged.left): Promise<void> {
  const units = Math.min(cost, charged.left);
  if (units === 0) return;
  charged.left -= units;
  await charged.store.refund({ ...charged.plan, cost: units }, charged.verdict);
}

/** Lets everything pass, and carries along what would have been decided. */
export function inShadow(decision: Decision): Decision {
  const { remaining, resetAfterMs, limits, source, policy } = decision;
  const passed = new ChargedDecision(
    true,
    remaining,
    0,
    resetAfterMs,
    limits,
    NOBODY,
    source,
    chargedBy(decision),
  );
  if (policy !== undefined) passed.policy = policy;
  passed.shadow = decision;
  return passed;
}

const NOBODY: readonly LimitStatus[] = [];

/** The store decides; its verdicts say why, and when to come back. */
export function decisionOn(plan: Plan, verdict: PlanVerdict, store: Store): Decision {
  const { shape, cost } = plan;
  const { allowed, verdicts, source, policy } = verdict;
  const { tree, labels, checkOfLimit } = shape;
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
  const charged = verdict.charge === undefined ? undefined : { store, plan, verdict, left: cost };
  const decision = new ChargedDecision(
    allowed,
    remaining,
    retryAfterMs,
    resetAfterMs,
    limits,
    refusedBy,
    source,
    charged,
  );
  if (policy !== undefined) decision.policy = policy;
  return decision;
}

function statusOf(
  { rule, selector, limit, windowMs }: LimitLabel,
  verdict: Verdict = UNLIMITED,
): LimitStatus {
  const { allowed, remaining, retryAfterMs, resetAfterMs } = verdict;
  return { allowed, remaining, retryAfterMs, resetAfterMs, rule, selector, limit, windowMs };
}
