/** The answer to the caller. */
import type { Verdict } from "../algorithm/algorithm.js";
import type { LimitLabel, Plan } from "../plan/plan.js";
import type { PlanVerdict, PolicyAnswer, Source } from "../store/store.js";
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

export function decisionOn({ shape }: Plan, { verdicts, source, policy }: PlanVerdict): Decision {
  const { tree, labels, checkOfLimit } = shape;
  const { allowed, remaining, retryAfterMs, resetAfterMs } = combine(tree, verdicts);
  const limits = new Array<LimitStatus>(labels.length);
  for (let limit = 0; limit < labels.length; limit += 1) {
    limits[limit] = statusOf(labels[limit]!, verdicts[checkOfLimit[limit]!]);
  }
  let refusedBy = NOBODY;
  if (!allowed) {
    const checks = refusing(tree, verdicts);
    refusedBy = limits.filter((_, limit) => checks.includes(checkOfLimit[limit]!));
  }
  const decision = { allowed, remaining, retryAfterMs, resetAfterMs, limits, refusedBy, source };
  return policy === undefined ? decision : { ...decision, policy };
}

function statusOf(
  { rule, selector, limit, windowMs }: LimitLabel,
  verdict: Verdict = UNLIMITED,
): LimitStatus {
  const { allowed, remaining, retryAfterMs, resetAfterMs } = verdict;
  return { allowed, remaining, retryAfterMs, resetAfterMs, rule, selector, limit, windowMs };
}
