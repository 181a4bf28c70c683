/** Constant-time token check, which slows down addresses that guess. */
import { createHash, timingSafeEqual } from "node:crypto";
import { clientAddress } from "sluice/http";

export type TokenCheck =
  | { readonly kind: "right" /** Of the token in the list. */; readonly index: number }
  | { readonly kind: "wrong" }
  | { readonly kind: "blocked"; readonly retryAfterMs: number };

/** Wrong tokens of an address that cost nothing, for people who mistype. */
const FREE_GUESSES = 10;
const FIRST_BLOCK_MS = 1_000;
const LONGEST_BLOCK_MS = 60_000;
const FORGOTTEN_AFTER_MS = 600_000;
const MOST_ADDRESSES = 10_000;

interface Guesses {
  count: number;
  /** At first the time of the guess itself. */
  blockedUntil: number;
}

/**
 * Each wrong token beyond the first ten blocks its address, for twice as long as the one before. A right token is let in
 * from a blocked address only where a right one has come from before: otherwise a guesser would lock out all who share a
 * proxy with it, or a machine.
 */
export class TokenGuard {
  private readonly guesses = new Map<string, Guesses>();
  private readonly trusted = new Map<string, true>();

  /** `now` in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  check(given: string, tokens: readonly string[], address: string | undefined): TokenCheck {
    const index = indexOf(given, tokens);
    const client = clientAt(address);
    const now = this.now();
    const retryAfterMs = (this.guesses.get(client)?.blockedUntil ?? now) - now;
    if (retryAfterMs > 0 && (index < 0 || !this.trusted.has(client)))
      return { kind: "blocked", retryAfterMs };
    if (index < 0) {
      this.guessed(client, now);
      return { kind: "wrong" };
    }
    if (!this.trusted.has(client)) put(this.trusted, client, true);
    return { kind: "right", index };
  }

  private guessed(client: string, now: number): void {
    const earlier = this.guesses.get(client);
    const isRecent = earlier !== undefined && now < earlier.blockedUntil + FORGOTTEN_AFTER_MS;
    const count = isRecent ? earlier.count + 1 : 1;
    const beyond = count - FREE_GUESSES;
    const blockMs = beyond > 0 ? Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** (beyond - 1)) : 0;
    put(this.guesses, client, { count, blockedUntil: now + blockMs });
  }
}

/** To the end of the map; the first goes where there are too many. */
function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (map.size >= MOST_ADDRESSES) map.delete(map.keys().next().value!);
  map.set(key, value);
}

const addressOf = clientAddress({ trust: [] });

/** Whole networks of IPv6 are one client. */
function clientAt(address: string | undefined): string {
  if (address === undefined) return "";
  return addressOf(undefined, { method: "", path: "", address, header: () => undefined });
}

/** Both are hashed, since only texts of one length can be compared so; all are compared, whichever it is. */
function indexOf(given: string, tokens: readonly string[]): number {
  const digest = digestOf(given);
  let found = -1;
  tokens.forEach((token, index) => {
    if (timingSafeEqual(digest, digestOf(token))) found = index;
  });
  return found;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
