/** Sliding window: counts in buckets of one precision; a bucket is forgotten as a whole. */
import { ceilMs } from "../../duration.js";
import {
  type Algorithm,
  type AlgorithmState,
  LARGEST_STEP_WAITED_OUT,
  type Quota,
  QuotaError,
  type Verdict,
} from "../algorithm.js";
import { countLeading, dropRecords, forgetOldest, makeRoom, placeOf, type Ring, ringBytes } from "../ring.js";

interface Params {
  readonly limit: number;
  readonly span: number;
  readonly precision: number;
  readonly mostBuckets: number;
}

const WIDTH = 2;
const LARGEST_RUNNING_COUNT = 2 ** 51;

function params({ limit, span, precision = span }: Quota): Params {
  if (limit > LARGEST_RUNNING_COUNT) {
    throw new QuotaError("limit", `sliding-window counts up to ${LARGEST_RUNNING_COUNT}`);
  }
  return { limit, span, precision, mostBuckets: Math.min(limit, Math.ceil(span / precision) + 1) };
}

/**
 * One record for each bucket that holds anything: when it was last charged, and how many units had come by then.
 * With that running count any sum is one subtraction. `forgotten` is the running count of what no longer matters.
 * Instants are on the state's own clock, which is `ahead` of the store's: 0 until that steps back. From then on the
 * state goes on as if there had been no step, its buckets where they were, until nothing is left of it.
 */
interface State extends AlgorithmState, Ring {
  ahead: number;
  forgotten: number;
}

function chargedAt(state: State, index: number): number {
  return state.places[placeOf(state, index, WIDTH)]!;
}

function bucketAt(state: State, { precision }: Params, index: number): number {
  return Math.floor(chargedAt(state, index) / precision);
}

/** Bucket b lives until b · precision + span. */
function endOf(state: State, params: Params, index: number): number {
  return bucketAt(state, params, index) * params.precision + params.span;
}

/** The running count with this bucket. */
function reachedAt(state: State, index: number): number {
  return index < 0 ? state.forgotten : state.places[placeOf(state, index, WIDTH) + 1]!;
}

function setReached(state: State, index: number, reached: number): void {
  state.places[placeOf(state, index, WIDTH) + 1] = reached;
}

/** The state's own time; it stands still while a small step of the clock is waited out. */
function instantOf(state: State, now: number): number {
  return state.count === 0 ? now : Math.max(now + state.ahead, chargedAt(state, state.count - 1));
}

/** How many of the oldest buckets have died. */
function deadBuckets(state: State, params: Params, at: number): number {
  if (state.count === 0 || endOf(state, params, 0) > at) return 0;
  return countLeading(state.count, (index) => endOf(state, params, index) <= at);
}

function forget(state: State, buckets: number): void {
  if (buckets === 0) return;
  state.forgotten = Math.max(state.forgotten, reachedAt(state, buckets - 1));
  forgetOldest(state, buckets, WIDTH);
}

/** Long before the running count could lose a unit, it begins anew. */
function rebase(state: State): void {
  if (state.forgotten < LARGEST_RUNNING_COUNT) return;
  for (let index = 0; index < state.count; index += 1) {
    setReached(state, index, reachedAt(state, index) - state.forgotten);
  }
  state.forgotten = 0;
}

/** Only the newest `limit` units can decide anything. */
function saturate(state: State, limit: number): void {
  const excess = reachedAt(state, state.count - 1) - limit;
  if (excess <= state.forgotten) return;
  state.generation = 0;
  state.forgotten = excess;
  forget(
    state,
    countLeading(state.count, (index) => reachedAt(state, index) <= excess),
  );
}

/** Adds to the bucket of this moment. */
function addUnits(state: State, params: Params, dead: number, cost: number, now: number): void {
  const { limit, precision, mostBuckets } = params;
  forget(state, dead);
  const units = Math.min(cost, limit);
  if (units === 0) return;
  if (units < cost) state.generation = 0;
  if (state.count === 0) {
    state.ahead = 0;
    state.forgotten = 0;
    state.generation = 0;
  }
  const at = instantOf(state, now);
  const reached = reachedAt(state, state.count - 1) + units;
  const bucket = Math.floor(at / precision);
  if (state.count === 0 || bucketAt(state, params, state.count - 1) !== bucket) {
    if (state.count === mostBuckets) {
      forget(state, 1);
      state.generation = 0;
    }
    makeRoom(state, 1, mostBuckets, WIDTH);
    state.count += 1;
  }
  state.places[placeOf(state, state.count - 1, WIDTH)] = at;
  setReached(state, state.count - 1, reached);
  saturate(state, limit);
  rebase(state);
}

function verdictOn(
  state: State,
  params: Params,
  dead: number,
  excess: number,
  cost: number,
  now: number,
): Verdict {
  const { limit } = params;
  const before = reachedAt(state, dead - 1);
  const live = reachedAt(state, state.count - 1) - before;
  let retryAfterMs = 0;
  if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
  else if (excess > 0) {
    const freed = (index: number) => reachedAt(state, dead + index) - before;
    const enough = dead + countLeading(state.count - dead, (index) => freed(index) < excess);
    retryAfterMs = ceilMs(endOf(state, params, enough) - state.ahead - now);
  }
  return {
    allowed: excess <= 0,
    remaining: limit - live,
    retryAfterMs,
    resetAfterMs: live === 0 ? 0 : ceilMs(endOf(state, params, state.count - 1) - state.ahead - now),
  };
}

/** How much more is asked for than fits. */
function excessOf(state: State, { limit }: Params, dead: number, cost: number): number {
  return reachedAt(state, state.count - 1) - reachedAt(state, dead - 1) + cost - limit;
}

export const slidingWindow: Algorithm<Params, State> = {
  name: "sliding-window",
  stateVersion: 2,
  takes: ["precision"],

  params,

  create: () => ({ generation: 0, places: [], first: 0, count: 0, ahead: 0, forgotten: 0 }),

  heal(state, _params, now) {
    const at = instantOf(state, now);
    if (at - (now + state.ahead) <= LARGEST_STEP_WAITED_OUT) return false;
    state.ahead = at - now;
    state.generation = 0;
    return true;
  },

  judge(state, params, cost, now) {
    const dead = deadBuckets(state, params, instantOf(state, now));
    return verdictOn(state, params, dead, excessOf(state, params, dead, cost), cost, now);
  },

  take(state, params, cost, now) {
    const dead = deadBuckets(state, params, instantOf(state, now));
    const excess = excessOf(state, params, dead, cost);
    if (excess > 0) return verdictOn(state, params, dead, excess, cost, now);
    addUnits(state, params, dead, cost, now);
    return verdictOn(state, params, 0, 0, cost, now);
  },

  charge(state, params, cost, now) {
    addUnits(state, params, deadBuckets(state, params, instantOf(state, now)), cost, now);
  },

  /** Takes from the bucket of that instant. */
  refund(state, params, cost, now, { instant }) {
    forget(state, deadBuckets(state, params, instantOf(state, now)));
    const bucket = Math.floor((instant + state.ahead) / params.precision);
    const index = countLeading(state.count, (earlier) => bucketAt(state, params, earlier) < bucket);
    if (index === state.count || bucketAt(state, params, index) !== bucket) return;
    const held = reachedAt(state, index) - reachedAt(state, index - 1);
    const units = Math.min(cost, held);
    for (let later = index; later < state.count; later += 1) {
      setReached(state, later, reachedAt(state, later) - units);
    }
    if (units === held) dropRecords(state, index, 1, WIDTH);
  },

  bytes: ringBytes,
};
