/** A decision in one sentence. */
import { durationText } from "../duration.js";
import type { Decision, LimitStatus } from "./decision.js";

export function explain(decision: Decision): string {
  if (!decision.allowed) {
    const limits = decision.refusedBy.map((status) => status.rule).join(" and ");
    return `Refused by ${limits}: ${retryText(decision.retryAfterMs)}.`;
  }
  if (decision.remaining === Number.POSITIVE_INFINITY) return "Allowed: no limit applies.";
  return `Allowed, ${decision.remaining} more right now under ${tightest(decision).rule}.`;
}

function retryText(retryAfterMs: number): string {
  return Number.isFinite(retryAfterMs)
    ? `try again in ${durationText(retryAfterMs * 1000)}`
    : "a cost this high never fits";
}

/** The limit that the decision's `remaining` comes from. */
function tightest({ limits, remaining }: Decision): LimitStatus {
  return limits.find((status) => status.remaining === remaining) ?? limits[0]!;
}
