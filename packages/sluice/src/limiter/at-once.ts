/** `consume` without the promise, where the store answers at once: for those inside who can do with either. */
import type { Decision } from "../decision/decision.js";
import type { Facts } from "../plan/facts.js";
import type { Answer } from "../store/store.js";

/** Throws or rejects with what `consume` rejects with. */
export type ConsumeAtOnce = (facts: Facts, cost: number | undefined) => Answer<Decision>;

interface Consumer {
  consume(facts: Facts, options?: { readonly cost: number }): Promise<Decision>;
}

const ways = new WeakMap<Consumer, ConsumeAtOnce>();

export function answersAtOnce<Limiter extends Consumer>(limiter: Limiter, consume: ConsumeAtOnce): Limiter {
  ways.set(limiter, consume);
  return limiter;
}

/** A limiter of another copy of the package, or one that somebody wrapped, is asked by the front door. */
export function consumeAtOnce(limiter: Consumer): ConsumeAtOnce {
  const known = ways.get(limiter);
  if (known !== undefined) return known;
  return (facts, cost) => limiter.consume(facts, cost === undefined ? undefined : { cost });
}
