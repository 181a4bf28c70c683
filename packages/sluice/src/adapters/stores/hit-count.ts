/** Counting without a limit, for those who decide by themselves what is too much. */
import type { Decision } from "../../decision/decision.js";
import type { Facts } from "../../plan/facts.js";
import { factsOfCall, type Manner, type Who } from "./call-rules.js";

/** More than anybody can send, and less than any algorithm that counts hits can hold. */
const BEYOND_ANY_LIMIT = 1_000_000_000_000;

export function factsOfHit(who: Who, windowMs: number, manner: Manner): Facts {
  return factsOfCall(who, BEYOND_ANY_LIMIT, windowMs, manner);
}

/** How many hits count now. */
export function hitsOf({ remaining }: Decision): number {
  return BEYOND_ANY_LIMIT - remaining;
}
