/** GCRA: a bucket that drains continuously, in whole numbers, so that it never drifts. */
import { ceilMs } from "../../duration.js";
import {
  type Algorithm,
  type AlgorithmState,
  LARGEST_STEP_WAITED_OUT,
  type Quota,
  QuotaError,
  type Verdict,
} from "../algorithm.js";

interface Params {
  /** What one unit of cost adds to the debt. */
  readonly price: number;
  /** What one microsecond takes off the debt. */
  readonly drain: number;
  /** The largest debt. */
  readonly capacity: number;
  /** What `remaining` is counted in: the price, where requests are counted. */
  readonly unit: number;
}

/**
 * The debt is a queue that drains from its head, in which every charge has a place. `gone` is what has left it, drained
 * or given back: a charge whose end was at `mark` has at least `mark - gone` left. `drained` is what has drained and was
 * not yet taken off a refund.
 */
interface State extends AlgorithmState {
  instant: number;
  debt: number;
  gone: number;
  drained: number;
}

const LARGEST_EXACT = 2n ** 53n;
/** Beyond 2^53 sums are rounded, by less than this; the refund is smaller by as much. */
const ROUNDING = 64;
const LARGEST_MARK = 2 ** 56;
const SMALLEST_ROUNDED_PRICE = 1_000_000_000n;

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/**
 * A request costs `span` and `limit` drains per microsecond, both reduced by their common divisor. Where
 * a full bucket would still pass 2^53, both are scaled down and the price is rounded up, so that never
 * more is admitted; a price of at least 10^9 keeps that error below one in 10^9.
 */
function params({ limit, span, burst = limit }: Quota): Params {
  const divisor = gcd(BigInt(span), BigInt(limit));
  let price = BigInt(span) / divisor;
  let drain = BigInt(limit) / divisor;
  const size = BigInt(burst);
  if (price * size > LARGEST_EXACT) {
    drain = ((LARGEST_EXACT / size) * drain) / price;
    price = limit === 0 ? price : (drain * BigInt(span) + BigInt(limit) - 1n) / BigInt(limit);
    if (drain === 0n || price < SMALLEST_ROUNDED_PRICE) {
      throw new QuotaError(
        burst > limit ? "burst" : "limit",
        "gcra cannot hold this many units over this span exactly: use a smaller burst, a shorter span, " +
          "or sliding-window",
      );
    }
  }
  return { price: Number(price), drain: Number(drain), capacity: Number(price * size), unit: Number(price) };
}

/**
 * While a small step of the clock is waited out, no time has passed for the state. A product beyond 2^53 is
 * rounded, but then exceeds every debt all the same.
 */
function debtAt(state: State, { drain }: Params, now: number): number {
  return Math.max(0, state.debt - drain * Math.max(0, now - state.instant));
}

/** Adds to a debt that was `debt` at this moment. */
function addDebt(state: State, { capacity }: Params, debt: number, added: number, now: number): void {
  state.drained = state.drained + state.debt - debt;
  state.gone = state.gone + state.debt - debt;
  if (debt === 0 || state.gone + capacity > LARGEST_MARK) {
    state.gone = 0;
    state.drained = 0;
    state.generation = 0;
  }
  if (debt + added > capacity) state.generation = 0;
  state.debt = Math.min(capacity, debt + added);
  state.instant = Math.max(now, state.instant);
}

/** How a debt stands when `excess` more is asked for than fits. */
function verdictOn(
  state: State,
  params: Params,
  debt: number,
  excess: number,
  cost: number,
  now: number,
): Verdict {
  const { price, drain, capacity, unit } = params;
  const ahead = Math.max(0, state.instant - now);
  let retryAfterMs = 0;
  if (excess > 0) {
    retryAfterMs =
      cost * price > capacity ? Number.POSITIVE_INFINITY : ceilMs(ahead + Math.ceil(excess / drain));
  }
  return {
    allowed: excess <= 0,
    remaining: Math.floor((capacity - debt) / unit),
    retryAfterMs,
    resetAfterMs: debt === 0 ? 0 : ceilMs(ahead + Math.ceil(debt / drain)),
  };
}

export const gcra: Algorithm<Params, State> = {
  name: "gcra",
  stateVersion: 2,
  takes: ["burst"],

  params,

  create: () => ({ generation: 0, instant: 0, debt: 0, gone: 0, drained: 0 }),

  heal(state, _params, now) {
    if (state.instant - now <= LARGEST_STEP_WAITED_OUT) return false;
    state.instant = now;
    state.generation = 0;
    return true;
  },

  judge(state, params, cost, now) {
    const debt = debtAt(state, params, now);
    return verdictOn(state, params, debt, cost * params.price - (params.capacity - debt), cost, now);
  },

  take(state, params, cost, now) {
    const debt = debtAt(state, params, now);
    const added = cost * params.price;
    const excess = added - (params.capacity - debt);
    if (excess > 0) return verdictOn(state, params, debt, excess, cost, now);
    addDebt(state, params, debt, added, now);
    return verdictOn(state, params, debt + added, 0, cost, now);
  },

  charge(state, params, cost, now) {
    addDebt(state, params, debtAt(state, params, now), cost * params.price, now);
  },

  mark(state) {
    return state.gone + state.debt;
  },

  /**
   * Takes off what may have drained of the charge: no more than its place in the queue, the time that has passed, and
   * all that has drained at all allow. So the refunds of many charges together lose what drained once, and not each.
   */
  refund(state, params, cost, now, { cost: charged, instant, mark }) {
    const { price, drain } = params;
    const at = Math.max(now, state.instant);
    const debt = debtAt(state, params, now);
    const gone = state.gone + state.debt - debt;
    const drained = state.drained + state.debt - debt;
    const rounding = mark > Number.MAX_SAFE_INTEGER ? ROUNDING : 0;
    const left = Math.max(0, mark - gone - rounding, cost * price - drain * (at - instant));
    const lost = Math.min(drained, cost * price - Math.min(left, cost * price));
    const given = Math.min(debt, cost * price - lost);
    /** What is taken whole from the end of the queue moves nobody. */
    const fromEnd = cost === charged && mark === gone + debt;
    state.debt = debt - given;
    state.gone = fromEnd ? gone : gone + given;
    state.drained = drained - lost;
    state.instant = at;
  },
};
