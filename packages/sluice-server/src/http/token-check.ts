/** Lets in who sends a token: `Authorization: Bearer …`. */
import type { TokenGuard } from "../tokens.js";
import { ProblemError } from "./problem.js";

/** With no tokens, everybody may ask. */
export function checkToken(
  authorization: string | undefined,
  tokens: readonly string[],
  guard: TokenGuard,
  address: string | undefined,
): void {
  if (tokens.length === 0) return;
  const given = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1];
  const check = given === undefined ? undefined : guard.check(given, tokens, address);
  if (check?.kind === "right") return;
  const reason = check === undefined ? "" : ', error="invalid_token"';
  const headers = { "WWW-Authenticate": `Bearer realm="sluice"${reason}` };
  if (check?.kind === "blocked") {
    const seconds = Math.ceil(check.retryAfterMs / 1000);
    throw new ProblemError(401, `Too many wrong tokens from your address. Try again in ${seconds} s.`, {
      headers: { ...headers, "Retry-After": String(seconds) },
    });
  }
  throw new ProblemError(401, "Send one of the configured tokens: Authorization: Bearer …", { headers });
}
