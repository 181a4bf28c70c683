/** The port that every store fills. */
import type { Verdict } from "../algorithm/algorithm.js";
import type { OnFailure } from "../plan/failure-policy.js";
import type { Plan } from "../plan/plan.js";

/** Who decided. */
export type Source = "store" | "denial-cache" | "lease" | "fallback";

/** The failure policies that answer; "throw" does not. */
export type PolicyAnswer = Exclude<OnFailure, "throw">;

export interface PlanVerdict {
  /** What the caller is told. The plan's tree over the verdicts comes to the same. */
  readonly allowed: boolean;
  /** One for each check of the plan, in its order, as things stand after the decision. */
  readonly verdicts: readonly Verdict[];
  readonly source: Source;
  /** Only with source "fallback": which failure policy answered. */
  readonly policy?: PolicyAnswer;
  /**
   * Whatever the store needs to find this very charge again, and nobody else reads. Undefined where nothing was charged
   * that could be given back: a refusal, even one that counts, gives nothing back.
   */
  readonly charge?: unknown;
}

/** How stores that evaluate plans know a charge again. */
export interface Charge {
  readonly cost: number;
  /** On the store's clock. */
  readonly instant: number;
  /** For each check the generation of its state, and the algorithm's mark of the charge. */
  readonly marks: readonly number[];
}

/** A store that can answer at once does, and spares its callers a promise. */
export type Answer<T> = T | Promise<T>;

/** Decides plans, each atomically and at one instant: all checks are charged together or none is. */
export interface Store {
  decide(plan: Plan): Answer<PlanVerdict>;
  /** What `decide` would answer; charges nothing. */
  peek(plan: Plan): Answer<PlanVerdict>;
  /**
   * Gives up to the plan's cost back of what `decide` charged when it answered `charged`: what that charge still weighs,
   * to this store and no other. A check that was over its limit, under an And, gives nothing back.
   */
  refund(plan: Plan, charged: PlanVerdict): Answer<void>;
  /** Forgets the state behind each of the plan's checks. */
  reset(plan: Plan): Answer<void>;
  close(): Answer<void>;
}
