/// <reference lib="esnext.disposable" preserve="true" />
/** The right to do one thing, for `await using`; it can be given back when the work failed. */
import type { Decision } from "../decision/decision.js";

export interface Pass extends AsyncDisposable {
  readonly decision: Decision;
  /** Gives back what was charged; a second time does nothing. */
  refund(): Promise<void>;
}

export function createPass(decision: Decision, giveBack: () => Promise<void>): Pass {
  let refunded: Promise<void> | undefined;
  return {
    decision,
    refund() {
      refunded ??= giveBack();
      return refunded;
    },
    /** Nothing is held, so leaving the scope only waits for a refund that was not awaited. */
    async [Symbol.asyncDispose]() {
      await refunded;
    },
  };
}
