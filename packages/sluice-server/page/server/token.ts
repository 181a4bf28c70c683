/** The token that opens the server, kept as long as the tab. */
import { keptText } from "../dom/storage.js";

const kept = keptText("sluice.token", () => sessionStorage);

/** What can stand in a header. */
const POSSIBLE = /^[\x21-\x7e]+$/;

export function storedToken(): string | undefined {
  return kept.get();
}

/** False where it cannot be the token of any server. */
export function storeToken(text: string): boolean {
  const token = text.trim();
  if (!POSSIBLE.test(token)) return false;
  kept.set(token);
  return true;
}

export function forgetToken(): void {
  kept.set(undefined);
}
