/** A decision in one sentence. */
import type { Decision, LimitStatus } from "./decision.js";

export function explain(decision: Decision): string {
  const { allowed, remaining, retryAfterMs } = decision;
  if (!allowed) {
    const limits = decision.refusedBy.map((status) => status.rule).join(" and ");
    return `Refused${limits && ` by ${limits}`}: ${retryText(retryAfterMs)}.`;
  }
  if (remaining === Number.POSITIVE_INFINITY) return "Allowed: no limit applies.";
  return `Allowed, ${remaining} more right now under ${decisive(decision).rule}.`;
}

function retryText(retryAfterMs: number): string {
  return Number.isFinite(retryAfterMs)
    ? `try again in ${roughDuration(retryAfterMs)}`
    : "a cost this high never fits";
}

/** The limit that the decision's `remaining` comes from: one that lets pass, where there are several. */
function decisive({ limits, remaining }: Decision): LimitStatus {
  const candidates = limits.filter((status) => status.remaining === remaining);
  return candidates.find((status) => status.allowed) ?? candidates[0] ?? limits[0]!;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** For people: two units at most, and rounded up, so that nobody comes back too early. */
function roughDuration(ms: number): string {
  const largest = UNITS.findIndex(([, size]) => ms >= size);
  const [, smaller] = UNITS[Math.min(largest + 1, UNITS.length - 1)]!;
  let left = Math.ceil(ms / smaller) * smaller;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count}${unit}`);
    left -= count * size;
  }
  return parts.join(" ");
}
