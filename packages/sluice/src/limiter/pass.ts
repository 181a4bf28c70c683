/// <reference lib="esnext.disposable" preserve="true" />
/** The right to do one thing, for `await using`; it can be given back when the work failed. */
import { ChargedDecision, type Decision } from "../decision/decision.js";

export interface Pass extends AsyncDisposable {
  readonly decision: Decision;
  /** Gives back what of this charge still counts; a second time does nothing. */
  refund(): Promise<void>;
}

export function createPass(decision: Decision): Pass {
  let refunded: Promise<void> | undefined;
  return {
    decision,
    refund() {
      refunded ??= ChargedDecision.isOne(decision)
        ? ChargedDecision.giveBack(decision, ChargedDecision.leftOf(decision))
        : Promise.resolve();
      return refunded;
    },
    /** Nothing is held, so leaving the scope only waits for a refund that was not awaited. */
    async [Symbol.asyncDispose]() {
      await refunded;
    },
  };
}
