/** The And/Or algebra: many verdicts, one answer. */
import type { Verdict } from "../algorithm/algorithm.js";
import { DOES_NOT_APPLY, type Tree } from "../plan/plan.js";

/** What a limit that does not apply answers. */
export const UNLIMITED: Verdict = {
  allowed: true,
  remaining: Number.POSITIVE_INFINITY,
  retryAfterMs: 0,
  resetAfterMs: 0,
};

export function combine(tree: Tree, verdicts: readonly Verdict[]): Verdict {
  if (typeof tree === "number") return tree === DOES_NOT_APPLY ? UNLIMITED : verdicts[tree]!;
  const join = tree.kind === "or" ? anyOver : allOver;
  let combined = combine(tree.parts[0]!, verdicts);
  for (let part = 1; part < tree.parts.length; part += 1) {
    combined = join(combined, combine(tree.parts[part]!, verdicts));
  }
  return combined;
}

/** Refuses when either does: the caller may retry when the slower one would pass. */
function anyOver(one: Verdict, other: Verdict): Verdict {
  return {
    allowed: one.allowed && other.allowed,
    remaining: Math.min(one.remaining, other.remaining),
    retryAfterMs: Math.max(one.retryAfterMs, other.retryAfterMs),
    resetAfterMs: Math.max(one.resetAfterMs, other.resetAfterMs),
  };
}

/** Refuses when both do: the caller may retry when the first one would pass. */
function allOver(one: Verdict, other: Verdict): Verdict {
  return {
    allowed: one.allowed || other.allowed,
    remaining: Math.max(one.remaining, other.remaining),
    retryAfterMs: Math.min(one.retryAfterMs, other.retryAfterMs),
    resetAfterMs: Math.max(one.resetAfterMs, other.resetAfterMs),
  };
}

/** The checks whose refusal made the whole tree refuse. */
export function refusing(tree: Tree, verdicts: readonly Verdict[]): readonly number[] {
  if (combine(tree, verdicts).allowed) return [];
  return typeof tree === "number" ? [tree] : tree.parts.flatMap((part) => refusing(part, verdicts));
}
