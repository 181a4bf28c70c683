/** Sliding window: counts in buckets of one precision; a bucket is forgotten as a whole. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT, type Quota, QuotaError } from "../algorithm.js";
import { countLeading, forgetOldest, makeRoom, placeOf, type Ring } from "../ring.js";

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
 * One record for each bucket that holds anything: its number, and how many units had come when it was the
 * newest. With that running count any sum is one subtraction. `forgotten` is the running count of what no
 * longer matters. A stored number lies `ahead` of the bucket it stands for: after a step of the clock that
 * one number moves all of them.
 */
interface State extends Ring {
  ahead: number;
  forgotten: number;
}

function bucketAt(state: State, index: number): number {
  return state.places[placeOf(state, index, WIDTH)]! - state.ahead;
}

/** The running count with this bucket. */
function reachedAt(state: State, index: number): number {
  return index < 0 ? state.forgotten : state.places[placeOf(state, index, WIDTH) + 1]!;
}

function setReached(state: State, index: number, reached: number): void {
  state.places[placeOf(state, index, WIDTH) + 1] = reached;
}

/** Now, or the start of the newest bucket while a small step of the clock is waited out. */
function instantOf(state: State, { precision }: Params, now: number): number {
  return state.count === 0 ? now : Math.max(now, bucketAt(state, state.count - 1) * precision);
}

/** How many of the oldest buckets have died: bucket b lives until b · precision + span. */
function deadBuckets(state: State, { span, precision }: Params, at: number): number {
  if (state.count === 0 || bucketAt(state, 0) * precision + span > at) return 0;
  return countLeading(state.count, (index) => bucketAt(state, index) * precision + span <= at);
}

function forget(state: State, buckets: number): void {
  if (buckets === 0) return;
  state.forgotten = Math.max(state.forgotten, reachedAt(state, buckets - 1));
  forgetOldest(state, buckets, WIDTH);
  if (state.count > 0) return;
  state.ahead = 0;
  state.forgotten = 0;
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
  state.forgotten = excess;
  forget(
    state,
    countLeading(state.count, (index) => reachedAt(state, index) <= excess),
  );
}

export const slidingWindow: Algorithm<Params, State> = {
  name: "sliding-window",
  stateVersion: 1,
  takes: ["precision"],

  params,

  heal(state, params, now) {
    const { precision } = params;
    if (instantOf(state, params, now) - now <= LARGEST_STEP_WAITED_OUT) return state;
    const ahead = bucketAt(state, state.count - 1) - Math.floor(now / precision);
    return { ...state, ahead: state.ahead + ahead };
  },

  fits(state, params, cost, now) {
    if (state === undefined) return cost <= params.limit;
    const dead = deadBuckets(state, params, instantOf(state, params, now));
    return reachedAt(state, state.count - 1) - reachedAt(state, dead - 1) + cost <= params.limit;
  },

  judge(state = UNUSED, params, cost, now) {
    const { limit, span, precision } = params;
    const dead = deadBuckets(state, params, instantOf(state, params, now));
    const before = reachedAt(state, dead - 1);
    const live = reachedAt(state, state.count - 1) - before;
    const excess = live + cost - limit;

    let retryAfterMs = 0;
    if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
    else if (excess > 0) {
      const freed = (index: number) => reachedAt(state, dead + index) - before;
      const enough = dead + countLeading(state.count - dead, (index) => freed(index) < excess);
      retryAfterMs = ceilMs(bucketAt(state, enough) * precision + span - now);
    }

    return {
      allowed: excess <= 0,
      remaining: limit - live,
      retryAfterMs,
      resetAfterMs: live === 0 ? 0 : ceilMs(bucketAt(state, state.count - 1) * precision + span - now),
    };
  },

  charge(state = { ...UNUSED, places: [] }, params, cost, now) {
    const at = instantOf(state, params, now);
    forget(state, deadBuckets(state, params, at));
    const bucket = Math.floor(at / params.precision);
    const units = Math.min(cost, params.limit);
    if (units === 0) return state;
    const reached = reachedAt(state, state.count - 1) + units;
    if (state.count === 0 || bucketAt(state, state.count - 1) !== bucket) {
      if (state.count === params.mostBuckets) forget(state, 1);
      makeRoom(state, 1, params.mostBuckets, WIDTH);
      state.places[placeOf(state, state.count, WIDTH)] = bucket + state.ahead;
      state.count += 1;
    }
    setReached(state, state.count - 1, reached);
    saturate(state, params.limit);
    rebase(state);
    return state;
  },

  /** From the newest bucket that is old enough back; what came later moves up. */
  refund(state, params, cost, now, age) {
    const at = instantOf(state, params, now);
    forget(state, deadBuckets(state, params, at));
    const charged = Math.floor((at - age) / params.precision);
    let later = state.count;
    while (later > 0 && bucketAt(state, later - 1) > charged) later -= 1;
    const reached = reachedAt(state, later - 1);
    const left = Math.max(state.forgotten, reached - cost);
    let kept = later;
    while (kept > 0 && reachedAt(state, kept - 2) >= left) kept -= 1;
    if (kept > 0) setReached(state, kept - 1, left);
    for (let index = later; index < state.count; index += 1) {
      const to = kept + index - later;
      state.places[placeOf(state, to, WIDTH)] = bucketAt(state, index) + state.ahead;
      setReached(state, to, reachedAt(state, index) - (reached - left));
    }
    state.count = kept + state.count - later;
    return state;
  },
};

const UNUSED: Readonly<State> = { places: [], first: 0, count: 0, ahead: 0, forgotten: 0 };
