/** Counting without a limit, for those who decide by themselves what is too much. */
import type { Decision } from "../decision/decision.js";
import type { Facts } from "../plan/facts.js";
import { factsOfCall, LARGEST_COUNT, type Manner, type Who } from "./call-rules.js";

export function factsOfHit(who: Who, windowMs: number, manner: Manner): Facts {
  return factsOfCall(who, LARGEST_COUNT, windowMs, manner);
}

/** How many hits count now. */
export function hitsOf({ remaining }: Decision): number {
  return LARGEST_COUNT - remaining;
}
