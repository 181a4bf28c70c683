/** One request as a store sees it: the checks, and the And/Or tree over them. */
import type { Algorithm, Quota } from "../algorithm/algorithm.js";

/** What is counted, for all identities alike. Two counters with one `id` are the same counter. */
export interface Counter {
  readonly id: string;
  readonly algorithm: Algorithm;
  readonly quota: Quota;
  readonly params: unknown;
  /** The most units that can be in use at once. */
  readonly size: number;
  /** What stands before and behind the identity in a key. */
  readonly prefix: string;
  readonly suffix: string;
}

/** One question: does the plan's cost fit this counter for this identity? */
export interface Check {
  readonly counter: Counter;
  readonly identity: string;
}

/** The place of a check in the plan's list, DOES_NOT_APPLY, or And / Or of trees. */
export type Tree = number | Branch;

export interface Branch {
  readonly kind: "and" | "or";
  readonly parts: readonly Tree[];
}

/** Stands for a limit whose selector is null: never over, never charged. */
export const DOES_NOT_APPLY = -1;

export interface Plan {
  readonly checks: readonly Check[];
  readonly tree: Tree;
  readonly cost: number;
  /** Charge a refused request too. */
  readonly countRefused: boolean;
  /** For each limit of the rule, in its order, the check that answers it, or DOES_NOT_APPLY. */
  readonly checkOfLimit: readonly number[];
}

export function keyOf({ counter, identity }: Check): string {
  return counter.prefix + identity + counter.suffix;
}

/** Or admits when every part does, And when any does. */
export function admits(tree: Tree, fits: readonly boolean[]): boolean {
  if (typeof tree === "number") return tree === DOES_NOT_APPLY || fits[tree]!;
  const decisive = tree.kind === "and";
  for (const part of tree.parts) if (admits(part, fits) === decisive) return decisive;
  return !decisive;
}
