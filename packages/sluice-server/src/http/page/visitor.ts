/** Who may look at the page, and who may change what it shows. */
import type { FastifyRequest } from "fastify";
import { ProblemError } from "../problem.js";

export interface VisitorOptions {
  readonly tokens: () => readonly string[];
  /** Whether only this machine can reach the server. */
  readonly isLoopbackOnly: boolean;
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Without tokens, whoever reaches a loopback server is trusted, and so is no web page: a foreign name that has been
 * made to lead here must not pass for our own origin.
 */
export function checkVisitor(request: FastifyRequest, { tokens, isLoopbackOnly }: VisitorOptions): void {
  const { host = "", origin } = request.headers;
  if (origin !== undefined && hostOf(origin) !== host)
    throw new ProblemError(403, "Only the page itself may ask this.");
  if (tokens().length > 0 || !isLoopbackOnly || LOOPBACK_HOST.test(host)) return;
  throw new ProblemError(
    403,
    "Without tokens, this is asked for by the name localhost, 127.0.0.1 or [::1] only, so that no foreign page can ask.",
  );
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

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
