/** The RateLimit field of draft-ietf-httpapi-ratelimit-headers-11: how each policy stands. */
import type { Decision, LimitStatus } from "../../decision/decision.js";
import type { Policy, PolicySet } from "./policies.js";
import { fieldInteger, fieldSeconds, waitSeconds } from "./structured-field.js";

export function draft11Field({ allowed, retryAfterMs, limits }: Decision, set: PolicySet): string {
  const longest = allowed ? Number.POSITIVE_INFINITY : waitSeconds(retryAfterMs);
  if (limits.length === 1) return memberOf(set.policies[0]!, limits[0]!, longest);
  return tightestOf(limits, set)
    .map((status, place) => memberOf(set.policies[place]!, status, longest))
    .join(",");
}

/** What remains of a policy, and for how long, as in `"ip:5/m";r=4;t=60`. */
function memberOf({ item }: Policy, status: LimitStatus, longest: number): string {
  const remaining = fieldInteger(status.remaining);
  const seconds = Math.min(longest, waitOf(status));
  return seconds > 0 ? `${item};r=${remaining};t=${seconds}` : `${item};r=${remaining}`;
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
function waitOf({ allowed, retryAfterMs, resetAfterMs }: LimitStatus): number {
  const waitMs = allowed || !Number.isFinite(retryAfterMs) ? resetAfterMs : retryAfterMs;
  return Number.isFinite(waitMs) ? fieldSeconds(waitMs) : 0;
}
