/** What a limit asks of a store that may be slow or away. */
import { BadOption, shown } from "../errors.js";

/** What answers when the store cannot: the same rules in memory, a yes, a no, or an exception. */
export type OnFailure = "local" | "allow" | "deny" | "throw";

/** What a limit leaves out, the store settles. */
export interface FailurePolicy {
  /** How long an answer is waited for. */
  readonly deadlineMs?: number | undefined;
  readonly onFailure?: OnFailure | undefined;
}

const CHOICES: readonly OnFailure[] = ["local", "allow", "deny", "throw"];
const LONGEST_DEADLINE_MS = 60_000;

export function checkFailurePolicy({ deadlineMs, onFailure }: FailurePolicy): void {
  if (onFailure !== undefined && !CHOICES.includes(onFailure)) {
    throw new BadOption(`onFailure is one of ${CHOICES.join(", ")}, and this is ${shown(onFailure)}.`);
  }
  if (deadlineMs === undefined) return;
  if (!Number.isSafeInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE_MS) {
    throw new BadOption(
      `deadlineMs is a whole number from 1 to ${LONGEST_DEADLINE_MS}, and this is ${shown(deadlineMs)}.`,
    );
  }
}
