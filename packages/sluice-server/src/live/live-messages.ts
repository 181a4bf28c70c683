/** What the server tells the page, and what the page may ask: both sides are compiled from this file. */

/**
 * GET /live/events, as server-sent events: `hello` at first, and again when the configuration has changed; then `second`
 * every second, with its `at` as `id`.
 */
export interface Hello {
  readonly version: string;
  readonly limits: readonly LimitFacts[];
  /** The seconds before this one, oldest first; after a reconnect with Last-Event-ID, those that were missed; none in a later hello. */
  readonly past: readonly Second[];
  /** How far back the server remembers. */
  readonly pastSeconds: number;
  /** Over how many seconds identities are counted, at least and at most. */
  readonly identityWindow: readonly [least: number, most: number];
  /** Whether this visitor may reset and refund. */
  readonly mayChange: boolean;
}

export interface LimitFacts {
  readonly name: string;
  readonly rule: string;
  readonly selectors: readonly string[];
  readonly shadow: boolean;
}

export interface Second {
  /** Whole seconds since the epoch. */
  readonly at: number;
  /** By the limit's name; only limits that were asked. RATELIMIT stands under "RATELIMIT" in `commands`. */
  readonly limits: Readonly<Record<string, Tally>>;
  readonly commands: Readonly<Record<string, Tally>>;
  readonly store: StoreState;
}

export interface Tally {
  readonly allowed: number;
  readonly refused: number;
  /** What a limit in shadow mode would have refused; not among `refused`, but among `allowed`. */
  readonly shadowRefused: number;
  /** How many of them were decided by whom; "store" is what is left. */
  readonly fallback: number;
  readonly cache: number;
  /** Of the decisions of this second, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface StoreState {
  readonly describe: string;
  readonly breaker: "closed" | "open" | "probing" | undefined;
  readonly waiting: number | undefined;
  readonly keys: number | undefined;
  /** Calls that the store did not answer, in this second. */
  readonly failures: number;
}

/** GET /live/identities?limit=NAME */
export interface Identities {
  readonly busiest: readonly Identity[];
  readonly mostRefused: readonly Identity[];
  /** No count is more than this too high. */
  readonly errorAtMost: number;
}

export interface Identity {
  /** Names it in questions. */
  readonly id: string;
  /** By selector; a hash where the configuration says so. */
  readonly facts: Readonly<Record<string, string>>;
  readonly count: number;
}

/** POST /live/identities/{peek|reset|refund} with this as JSON; `peek` answers with a decision, the others with 204. */
export interface IdentityQuestion {
  readonly limit: string;
  readonly id: string;
  /** Of a refund. */
  readonly cost?: number;
}
