/** Why a store did not answer. */
import { SluiceError } from "../../errors.js";

/**
 * `deadline`: no answer in time. `not connected`: there was nobody to ask. `overloaded`: too many calls wait already.
 * `resting`: it failed before, and is not asked for a moment. `refused`: it answered with an error, to all that was
 * sent together. `unreadable`: it answered with an error to this request alone.
 */
export type FailureReason =
  | "deadline"
  | "not connected"
  | "overloaded"
  | "resting"
  | "refused"
  | "unreadable";

/** The store did not answer, and `onFailure` is "throw". What the client said, if anything, is the cause. */
export class StoreUnavailable extends SluiceError {
  readonly code = "SLUICE_STORE_UNAVAILABLE";

  constructor(
    readonly reason: FailureReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
