/** The answer to the caller. */
import type { Verdict } from "../algorithm/algorithm.js";
import type { Plan, Tree } from "../plan/plan.js";
import { printRule } from "../rule/print.js";
import { type Limit, limitsOf, type Rule } from "../rule/rule.js";
import type { PlanVerdict, Source } from "../store/store.js";
import { combine, refusing, UNLIMITED } from "./combine.js";

/** How one limit of the rule stands. */
export interface LimitStatus extends Verdict {
  /** The limit as canonical text. */
  readonly rule: string;
  /** What it counts by, as in the rule; empty for a limit on all calls. */
  readonly selector: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface Decision extends Verdict {
  /** One for each limit of the rule, in its order. */
  readonly limits: readonly LimitStatus[];
  /** The limits that made it refuse; empty when allowed. */
  readonly refusedBy: readonly LimitStatus[];
  readonly source: Source;
  /** Only from a limiter in shadow mode: what it would have answered. */
  readonly shadow?: Decision;
}

/** What never changes about a limit's status. */
type Label = Omit<LimitStatus, keyof Verdict>;

export type Decider = (plan: Plan, verdict: PlanVerdict) => Decision;

const NOBODY: readonly LimitStatus[] = [];

export function createDecider(rule: Rule): Decider {
  const labels = limitsOf(rule).map(labelOf);
  return labels.length === 1 ? decideOne(labels[0]!) : decideMany(labels);
}

/** The usual rule is a single limit, and its status is the decision. */
function decideOne(label: Label): Decider {
  return (_, { verdicts, source }) => {
    const verdict = verdicts[0] ?? UNLIMITED;
    const { allowed, remaining, retryAfterMs, resetAfterMs } = verdict;
    const limits = [statusOf(label, verdict)];
    return {
      allowed,
      remaining,
      retryAfterMs,
      resetAfterMs,
      limits,
      refusedBy: allowed ? NOBODY : limits,
      source,
    };
  };
}

function decideMany(labels: readonly Label[]): Decider {
  return ({ tree, checkOfLimit }, { verdicts, source }) => {
    const { allowed, remaining, retryAfterMs, resetAfterMs } = combine(tree, verdicts);
    const limits = labels.map((label, index) => statusOf(label, verdicts[checkOfLimit[index]!] ?? UNLIMITED));
    const refusedBy = allowed ? NOBODY : refusers(tree, verdicts, limits, checkOfLimit);
    return { allowed, remaining, retryAfterMs, resetAfterMs, limits, refusedBy, source };
  };
}

function refusers(
  tree: Tree,
  verdicts: readonly Verdict[],
  limits: readonly LimitStatus[],
  checkOfLimit: readonly number[],
): readonly LimitStatus[] {
  const checks = refusing(tree, verdicts);
  return limits.filter((_, index) => checks.includes(checkOfLimit[index]!));
}

function statusOf({ rule, selector, limit, windowMs }: Label, verdict: Verdict): LimitStatus {
  const { allowed, remaining, retryAfterMs, resetAfterMs } = verdict;
  return { allowed, remaining, retryAfterMs, resetAfterMs, rule, selector, limit, windowMs };
}

function labelOf(limit: Limit): Label {
  const { selectors, quota } = limit;
  return {
    rule: printRule(limit),
    selector: selectors.join("+"),
    limit: quota.limit,
    windowMs: Math.ceil(quota.span / 1000),
  };
}
