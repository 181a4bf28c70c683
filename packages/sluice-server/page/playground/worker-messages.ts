/** What the page asks its worker, and what that answers: first what the rule means, then what it does. */
import type { Explanation } from "../../src/explain/explain-rule.js";
import type { Run } from "../../src/simulate/tally.js";
import type { PlaygroundState } from "./state.js";
import type { Suited } from "./suited-traffic.js";

/** A later question takes the place of an earlier one. */
export interface Question extends PlaygroundState {
  readonly number: number;
}

export type Answer = { readonly number: number } & (
  | { readonly kind: "meaning"; readonly explanation: Explanation }
  | ({ readonly kind: "mistake" } & Mistake)
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "runs"; readonly runs: readonly Run[]; readonly played: Suited }
);

export interface Mistake {
  /** In the rule, or in what it is to be played with. */
  readonly where: "rule" | "traffic";
  readonly problem: string;
  /** The rule, and a line with carets under the mistake. */
  readonly excerpt: string | undefined;
  readonly suggestion: string | undefined;
}
