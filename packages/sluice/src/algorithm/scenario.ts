/** A timeline and what must be decided on it: the form of every algorithm's tables. */
import type { Verdict } from "./algorithm.js";

export interface Scenario {
  readonly title: string;
  readonly rule: string;
  readonly countRefused?: boolean;
  readonly steps: readonly Step[];
}

/** One call at one instant. All that `expect` names must be so; a refund or reset expects nothing. */
export interface Step {
  /** Milliseconds since the epoch; fractions down to a microsecond. */
  readonly at: number;
  /** `consume` when left out. */
  readonly call?: "consume" | "peek" | "refund" | "reset";
  readonly facts?: { readonly [name: string]: string | null };
  readonly cost?: number;
  /** How many times in a row; each must answer as expected. 1 when left out. */
  readonly times?: number;
  readonly expect?: Partial<Verdict>;
}
