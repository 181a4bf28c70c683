/** One request as a store sees it: what is counted, for whom, and how the counts are combined. */
import type { Algorithm, Quota } from "../algorithm/algorithm.js";
import type { FailurePolicy } from "./failure-policy.js";

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

/** The place of a check, DOES_NOT_APPLY, or And / Or of trees. */
export type Tree = number | Branch;

export interface Branch {
  readonly kind: "and" | "or";
  readonly parts: readonly Tree[];
}

/** Stands for a limit whose selector is null: never over, never charged. */
export const DOES_NOT_APPLY = -1;

/** What is said of a limit, whatever the request. */
export interface LimitLabel {
  /** The limit as canonical text. */
  readonly rule: string;
  /** What it counts by, as in the rule; empty for a limit on all calls. */
  readonly selector: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** What all requests of one rule have in common; made once. */
export interface Shape {
  /** One for each check. */
  readonly counters: readonly Counter[];
  /** And / Or over the checks. */
  readonly tree: Tree;
  /** Charge a refused request too. */
  readonly countRefused: boolean;
  /** One for each limit of the rule, in its order. */
  readonly labels: readonly LimitLabel[];
  /** For each limit of the rule the check that answers it, or DOES_NOT_APPLY. */
  readonly checkOfLimit: readonly number[];
  readonly failurePolicy: FailurePolicy;
}

/** One request. Check number i asks whether the cost fits counter i for identity i. */
export interface Plan {
  readonly shape: Shape;
  readonly identities: readonly string[];
  readonly cost: number;
  /** How long it may take, where that is less than its shape or the store says. */
  readonly deadlineMs?: number | undefined;
}

export function keyOf({ prefix, suffix }: Counter, identity: string): string {
  return prefix + identity + suffix;
}

/** The keys of a plan's checks, in order. */
export function keysOf({ shape, identities }: Plan): readonly string[] {
  return shape.counters.map((counter, check) => keyOf(counter, identities[check]!));
}

/** Or admits when every part does, And when any does. */
export function admits(tree: Tree, verdicts: readonly { readonly allowed: boolean }[]): boolean {
  if (typeof tree === "number") return tree === DOES_NOT_APPLY || verdicts[tree]!.allowed;
  const decisive = tree.kind === "and";
  for (const part of tree.parts) if (admits(part, verdicts) === decisive) return decisive;
  return !decisive;
}
