/** The contract of an algorithm: it turns a quota and a remembered state into a verdict. */

/** How much per how long. Spans in microseconds; all whole numbers. */
export interface Quota {
  readonly limit: number;
  readonly span: number;
  readonly precision?: number;
  readonly burst?: number;
}

/** Durations, never instants. */
export interface Verdict {
  readonly allowed: boolean;
  /** How many requests of cost 1 would pass right now. */
  readonly remaining: number;
  /** 0 when allowed; Infinity when the cost can never fit. */
  readonly retryAfterMs: number;
  /** Until the state is as good as never used. */
  readonly resetAfterMs: number;
}

/**
 * What every state has besides its own numbers. Charges of one generation are all in the state, each known by its
 * instant. Where that ends, an algorithm sets it to 0, and the next charge begins another: when the state was empty, when
 * the clock has stepped back, when a charge beyond the limit has displaced others.
 */
export interface AlgorithmState {
  generation: number;
}

/** A charge of the state's generation: how much, when on the store's clock, and the algorithm's mark of it. */
export interface PastCharge {
  readonly cost: number;
  readonly instant: number;
  readonly mark: number;
}

/**
 * One idea in two halves: this one, and a Lua twin with the same functions, each with the same operations in the same
 * order.
 *
 * Time is an argument, in whole microseconds. State carries its own instants, so that expiry only collects garbage.
 * `heal`, `take`, `charge` and `refund` change the state in place; `judge` leaves it as it is.
 */
export interface Algorithm<Params = unknown, State extends AlgorithmState = AlgorithmState> {
  readonly name: string;
  /** Raised whenever the meaning of stored state changes; part of every key. */
  readonly stateVersion: number;
  /** Which of the optional parts of a quota it uses. */
  readonly takes: readonly ("precision" | "burst")[];
  /** The numbers the other functions work with. Throws QuotaError on what cannot be held exactly. */
  params(quota: Quota): Params;
  /** A state that nobody has used. */
  create(): State;
  /** Moves state from more than a second in the future to now; says whether it had to. */
  heal(state: State, params: Params, now: number): boolean;
  /** Whether the cost fits now. */
  judge(state: State, params: Params, cost: number, now: number): Verdict;
  /** Charges the cost if it fits, and answers as things stand after that. */
  take(state: State, params: Params, cost: number, now: number): Verdict;
  /** Charges whether it fits or not. Never fails: beyond the limit it saturates. */
  charge(state: State, params: Params, cost: number, now: number): void;
  /**
   * Gives back up to `cost` of a charge that fitted: what it still weighs, and nothing that belongs to another. Requests
   * that are not refunded keep the algorithm's bound, whatever is refunded and when; where a charge cannot be told from
   * others, less is given back.
   */
  refund(state: State, params: Params, cost: number, now: number, charged: PastCharge): void;
  /**
   * What `refund` needs to know of the state as it was right after the charge; a whole number of at least 0. Only for
   * algorithms that cannot find a charge by its instant; the mark of all others is 0.
   */
  mark?(state: State): number;
  /** About how much memory a state takes; left out where that is a few numbers, and always as many. */
  bytes?(state: State): number;
}

/**
 * A clock that steps back by no more than this is waited out: time stands still for the state until the
 * clock has caught up. After a larger step the state is healed.
 */
export const LARGEST_STEP_WAITED_OUT = 1_000_000;

/** A quota that an algorithm cannot hold; `part` is what the caller should change. Shown as a RuleError. */
export class QuotaError extends Error {
  constructor(
    readonly part: keyof Quota,
    message: string,
  ) {
    super(message);
  }
}
