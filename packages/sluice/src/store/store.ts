/** The port that every store fills. */
import type { Verdict } from "../algorithm/algorithm.js";
import type { OnFailure } from "../plan/failure-policy.js";
import type { Plan } from "../plan/plan.js";

/** Who decided. */
export type Source = "store" | "denial-cache" | "lease" | "fallback";

/** The failure policies that answer; "throw" does not. */
export type PolicyAnswer = Exclude<OnFailure, "throw">;

export interface PlanVerdict {
  readonly allowed: boolean;
  /** One for each check of the plan, in its order, as things stand after the decision. */
  readonly verdicts: readonly Verdict[];
  readonly source: Source;
  /** Only with source "fallback": which failure policy answered. */
  readonly policy?: PolicyAnswer;
}

/** A store that can answer at once does, and spares its callers a promise. */
export type Answer<T> = T | Promise<T>;

/** Decides plans, each atomically and at one instant: all checks are charged together or none is. */
export interface Store {
  decide(plan: Plan): Answer<PlanVerdict>;
  /** What `decide` would answer; charges nothing. */
  peek(plan: Plan): Answer<PlanVerdict>;
  /** Gives the plan's cost back to each of its checks. */
  refund(plan: Plan): Answer<void>;
  /** Forgets the state behind each of the plan's checks. */
  reset(plan: Plan): Answer<void>;
  close(): Answer<void>;
}
