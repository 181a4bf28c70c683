/** The RateLimit field of draft-ietf-httpapi-ratelimit-headers-11: how each policy stands. */
import type { Decision, LimitStatus } from "../decision/decision.js";
import type { PolicySet } from "./policies.js";
import { fieldInteger, fieldSeconds, waitSeconds } from "./structured-field.js";

export function draft11Field({ allowed, retryAfterMs, limits }: Decision, set: PolicySet): string {
  const longest = allowed ? Number.POSITIVE_INFINITY : waitSeconds(retryAfterMs);
  const tightest = tightestOf(limits, set);
  let field = "";
  for (let place = 0; place < tightest.length; place += 1) {
    const member = set.policies[place]!.remaining + standingOf(tightest[place]!, longest);
    field = place === 0 ? member : `${field},${member}`;
  }
  return field;
}

/** For each policy the limit to tell of: where several share one, that with less left. */
function tightestOf(limits: readonly LimitStatus[], { policies, places }: PolicySet): readonly LimitStatus[] {
  if (policies.length === limits.length) return limits;
  const tightest = new Array<LimitStatus>(policies.length);
  for (const [limit, place] of places.entries()) {
    if (place < 0) continue;
    const status = limits[limit]!;
    const other = tightest[place];
    if (other === undefined || status.remaining < other.remaining) tightest[place] = status;
  }
  return tightest;
}

/**
 * `r` is in units, as `q` is: a request that costs 5 takes 5 of it. `t` is how long no more than `r` can be used: of a
 * limit that is over until the same request fits, else until the limit is as good as unused; never beyond Retry-After,
 * as the draft asks, and left out where there is nothing to wait for.
 */
function standingOf(
  { allowed, remaining, retryAfterMs, resetAfterMs }: LimitStatus,
  longest: number,
): string {
  const waitMs = allowed || !Number.isFinite(retryAfterMs) ? resetAfterMs : retryAfterMs;
  const seconds = Number.isFinite(waitMs) ? Math.min(longest, fieldSeconds(waitMs)) : 0;
  return `${fieldInteger(remaining)}${seconds > 0 ? `;t=${seconds}` : ""}`;
}
