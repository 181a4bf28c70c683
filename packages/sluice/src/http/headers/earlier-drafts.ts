/** The headers of earlier times, which have room for one limit: the one that decides. */
import type { Decision, LimitStatus } from "../../decision/decision.js";
import { applies } from "./policies.js";
import { fieldInteger, fieldSeconds } from "./structured-field.js";

export type EarlierForm = "draft-7" | "draft-6" | "legacy";

/** At least one of the limits applies. */
export function writeEarlier(
  fields: Record<string, string>,
  decision: Decision,
  forms: readonly EarlierForm[],
): void {
  const status = decisive(decision);
  if (status === undefined) return;
  const limit = fieldInteger(status.limit);
  const remaining = fieldInteger(status.remaining);
  const waitMs = waitOf(status);
  const reset = fieldSeconds(waitMs);
  for (const form of forms) {
    if (form === "draft-7") fields["RateLimit"] = `limit=${limit}, remaining=${remaining}, reset=${reset}`;
    else if (form === "draft-6") writeThree(fields, "RateLimit", [limit, remaining, reset]);
    else writeThree(fields, "X-RateLimit", [limit, remaining, fieldSeconds(Date.now() + waitMs)]);
  }
}

/** Of X-RateLimit-Reset, clients expect seconds since the epoch, as from GitHub and express-rate-limit. */
function writeThree(fields: Record<string, string>, prefix: string, values: readonly number[]): void {
  fields[`${prefix}-Limit`] = String(values[0]);
  fields[`${prefix}-Remaining`] = String(values[1]);
  fields[`${prefix}-Reset`] = String(values[2]);
}

/** The limit that says when to come back, or how many more will pass. */
function decisive({ limits, refusedBy, remaining, retryAfterMs }: Decision): LimitStatus | undefined {
  if (refusedBy.length > 0) {
    return refusedBy.find((status) => status.retryAfterMs === retryAfterMs) ?? refusedBy[0];
  }
  const candidates = limits.filter((status) => applies(status) && status.remaining === remaining);
  return candidates.find(({ allowed }) => allowed) ?? candidates[0] ?? limits.find(applies);
}

function waitOf({ allowed, retryAfterMs, resetAfterMs }: LimitStatus): number {
  const waitMs = allowed || !Number.isFinite(retryAfterMs) ? resetAfterMs : retryAfterMs;
  return Number.isFinite(waitMs) ? waitMs : 0;
}
