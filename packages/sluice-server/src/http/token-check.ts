/** Lets in who sends a token: `Authorization: Bearer …`. */
import { isToken } from "../tokens.js";
import { ProblemError } from "./problem.js";

/** With no tokens, everybody may ask. */
export function checkToken(authorization: string | undefined, tokens: readonly string[]): void {
  if (tokens.length === 0) return;
  const given = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1];
  if (given !== undefined && isToken(given, tokens)) return;
  const reason = given === undefined ? "" : ', error="invalid_token"';
  throw new ProblemError(401, "Send one of the configured tokens: Authorization: Bearer …", {
    headers: { "WWW-Authenticate": `Bearer realm="sluice"${reason}` },
  });
}
