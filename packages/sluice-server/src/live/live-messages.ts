/** What the server tells the page, and what the page may ask: both sides are compiled from this file. */

/**
 * GET /live/events, as server-sent events: `hello` at first, and again when the configuration has changed; then `second`,
 * the last one at once and one more every second. All who listen are sent the same bytes.
 */
export interface Hello {
  readonly version: string;
  readonly limits: readonly LimitFacts[];
  readonly past: Past;
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

/** The seconds that the server remembers, oldest first, with what all limits and commands have in common. */
export interface Past {
  /** Whole seconds since the epoch; the rows count from here. */
  readonly from: number;
  readonly seconds: readonly (readonly [after: number, decisions: number, failures: number])[];
}

export interface Second {
  /** Whole seconds since the epoch. */
  readonly at: number;
  /** By the limit's name; only limits that were asked. RATELIMIT stands under "RATELIMIT" in `commands`. */
  readonly limits: Readonly<Record<string, Tally>>;
  readonly commands: Readonly<Record<string, Tally>>;
  readonly store: StoreState;
}

/** Of one limit or command in one second; a tuple, since there is one for each limit and second. */
export type Tally = readonly [
  allowed: number,
  refused: number,
  /** What a limit in shadow mode would have refused; not among `refused`, but among `allowed`. */
  shadowRefused: number,
  /** How many of them were decided by whom; "store" is what is left. */
  fallback: number,
  cache: number,
  /** How long the decisions of this second took, in microseconds. */
  p50: number,
  p99: number,
];

export interface StoreState {
  readonly describe: string;
  readonly breaker: "closed" | "open" | "probing" | undefined;
  readonly waiting: number | undefined;
  readonly keys: number | undefined;
  /** Calls that the store did not answer, in this second. */
  readonly failures: number;
}

/**
 * GET /live/history?limit=NAME&command=NAME, each as often as there are some to ask about: what hello leaves out. Seconds
 * from `from` to `to` in which nothing was decided have no row.
 */
export interface Histories {
  readonly from: number;
  readonly to: number;
  readonly limits: Readonly<Record<string, readonly HistoryRow[]>>;
  readonly commands: Readonly<Record<string, readonly HistoryRow[]>>;
}

export type HistoryRow = readonly [after: number, ...tally: Tally];

/** How many limits and commands one question may be about. */
export const MOST_HISTORIES = 20;

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
  /** Whether its values were too long to be kept: it is counted, and cannot be asked about. */
  readonly cut: boolean;
  readonly count: number;
}

/** POST /live/identities/{peek|reset|refund} with this as JSON; `peek` answers with a decision, the others with 204. */
export interface IdentityQuestion {
  readonly limit: string;
  readonly id: string;
  /** Of a refund. */
  readonly cost?: number;
}
