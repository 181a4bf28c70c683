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

/**
 * Or refuses when any part does: the caller may retry when the slowest part would pass. And refuses when all parts
 * do: the caller may retry when the first part would pass.
 */
export function combine(tree: Tree, verdicts: readonly Verdict[]): Verdict {
  if (typeof tree === "number") return tree === DOES_NOT_APPLY ? UNLIMITED : verdicts[tree]!;
  const any = tree.kind === "or";
  let { allowed, remaining, retryAfterMs, resetAfterMs } = combine(tree.parts[0]!, verdicts);
  for (let index = 1; index < tree.parts.length; index += 1) {
    const part = combine(tree.parts[index]!, verdicts);
    allowed = any ? allowed && part.allowed : allowed || part.allowed;
    remaining = any ? Math.min(remaining, part.remaining) : Math.max(remaining, part.remaining);
    retryAfterMs = any
      ? Math.max(retryAfterMs, part.retryAfterMs)
      : Math.min(retryAfterMs, part.retryAfterMs);
    resetAfterMs = Math.max(resetAfterMs, part.resetAfterMs);
  }
  return { allowed, remaining, retryAfterMs, resetAfterMs };
}

/** The checks whose refusal made the whole tree refuse. */
export function refusing(tree: Tree, verdicts: readonly Verdict[]): readonly number[] {
  if (combine(tree, verdicts).allowed) return [];
  return typeof tree === "number" ? [tree] : tree.parts.flatMap((part) => refusing(part, verdicts));
}
