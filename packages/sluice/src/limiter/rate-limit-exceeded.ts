/** The refusal as an exception, for `wrap`, `enter` and the decorator only. */
import type { Decision } from "../decision/decision.js";
import { explain } from "../decision/explain.js";
import { SluiceError } from "../errors.js";

export class RateLimitExceeded extends SluiceError {
  readonly code = "SLUICE_RATE_LIMIT_EXCEEDED";

  constructor(readonly decision: Decision) {
    super(explain(decision));
  }
}
