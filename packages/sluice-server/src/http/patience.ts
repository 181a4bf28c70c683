/** How long others may take, and what is held for them meanwhile. */

export interface Patience {
  /** A request must have arrived so long after it began. */
  readonly requestMs: number;
  /** How often that is looked at. */
  readonly checkMs: number;
  /** A connection on which nothing moves for so long is ended; longer than the longest deadline of a store. */
  readonly silenceMs: number;
  /** After so long a server that closes waits for nobody. */
  readonly goodbyeMs: number;
}

export const DEFAULT_PATIENCE: Patience = {
  requestMs: 10_000,
  checkMs: 1_000,
  silenceMs: 75_000,
  goodbyeMs: 5_000,
};

/** Longer than the minute for which proxies and load balancers keep theirs, so that it is them who close. */
export const KEEP_ALIVE_MS = 72_000;
export const MOST_CONNECTIONS = 10_000;
/** How many answers a connection may wait for. */
export const MOST_PIPELINED = 128;
export const LARGEST_BODY = 64 * 1024;
