/** Who may change what the page shows. */
import { ProblemError } from "../problem.js";

export interface VisitorOptions {
  readonly tokens: () => readonly string[];
  /** Whether only this machine can reach the server. */
  readonly isLoopbackOnly: boolean;
}

/** A token was checked before, where there are any. */
export function mayChange({ tokens, isLoopbackOnly }: VisitorOptions): boolean {
  return tokens().length > 0 || isLoopbackOnly;
}

export function checkMayChange(options: VisitorOptions): void {
  if (mayChange(options)) return;
  throw new ProblemError(
    403,
    "Where everybody can reach the server, changes need a token; configure one under `tokens`.",
  );
}
