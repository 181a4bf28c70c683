/** Sliding window: counts in buckets of one precision; a bucket is forgotten as a whole. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT } from "../algorithm.js";

interface Params {
  readonly limit: number;
  readonly span: number;
  readonly precision: number;
}

/** The buckets that hold anything, oldest first, and the sum of their counts. */
interface State {
  readonly buckets: number[];
  readonly counts: number[];
  total: number;
}

/** Now, or the start of the newest bucket while a small step of the clock is waited out. */
function instantOf(state: State | undefined, { precision }: Params, now: number): number {
  if (state === undefined || state.buckets.length === 0) return now;
  return Math.max(now, state.buckets[state.buckets.length - 1]! * precision);
}

/** How many of the oldest buckets have died: bucket b lives until b · precision + span. */
function deadBuckets({ buckets }: State, { span, precision }: Params, at: number): number {
  let dead = 0;
  while (dead < buckets.length && buckets[dead]! * precision + span <= at) dead += 1;
  return dead;
}

function sumOf(counts: readonly number[], until: number): number {
  let sum = 0;
  for (let index = 0; index < until; index += 1) sum += counts[index]!;
  return sum;
}

function forget(state: State, buckets: number): void {
  if (buckets === 0) return;
  state.total -= sumOf(state.counts, buckets);
  state.buckets.splice(0, buckets);
  state.counts.splice(0, buckets);
}

/** Takes units off the oldest buckets: only the newest `limit` units can decide anything. */
function saturate(state: State, limit: number): void {
  let excess = state.total - limit;
  let emptied = 0;
  while (excess > 0 && state.counts[emptied]! <= excess) {
    excess -= state.counts[emptied]!;
    emptied += 1;
  }
  forget(state, emptied);
  if (excess > 0) {
    state.counts[0]! -= excess;
    state.total -= excess;
  }
}

export const slidingWindow: Algorithm<Params, State> = {
  name: "sliding-window",
  stateVersion: 1,
  takes: ["precision"],

  params: ({ limit, span, precision = span }) => ({ limit, span, precision }),

  heal(state, { precision }, now) {
    const newest = state.buckets[state.buckets.length - 1];
    if (newest === undefined || newest * precision - now <= LARGEST_STEP_WAITED_OUT) return state;
    const ahead = newest - Math.floor(now / precision);
    return { ...state, buckets: state.buckets.map((bucket) => bucket - ahead) };
  },

  fits(state, params, cost, now) {
    if (state === undefined) return cost <= params.limit;
    const dead = deadBuckets(state, params, instantOf(state, params, now));
    return state.total - sumOf(state.counts, dead) + cost <= params.limit;
  },

  judge(state, params, cost, now) {
    const { limit, span, precision } = params;
    const { buckets, counts, total } = state ?? { buckets: [], counts: [], total: 0 };
    const dead = state === undefined ? 0 : deadBuckets(state, params, instantOf(state, params, now));
    const live = total - sumOf(counts, dead);
    const excess = live + cost - limit;
    const untilForgotten = (index: number) => ceilMs(buckets[index]! * precision + span - now);

    let retryAfterMs = 0;
    if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
    else if (excess > 0) {
      let index = dead;
      let freed = counts[index]!;
      while (freed < excess) {
        index += 1;
        freed += counts[index]!;
      }
      retryAfterMs = untilForgotten(index);
    }

    return {
      allowed: excess <= 0,
      remaining: limit - live,
      retryAfterMs,
      resetAfterMs: live === 0 ? 0 : untilForgotten(buckets.length - 1),
    };
  },

  charge(state = { buckets: [], counts: [], total: 0 }, params, cost, now) {
    const at = instantOf(state, params, now);
    forget(state, deadBuckets(state, params, at));
    const bucket = Math.floor(at / params.precision);
    const units = Math.min(cost, params.limit);
    if (units === 0) return state;
    const last = state.buckets.length - 1;
    if (state.buckets[last] === bucket) state.counts[last]! += units;
    else {
      state.buckets.push(bucket);
      state.counts.push(units);
    }
    state.total += units;
    saturate(state, params.limit);
    return state;
  },

  refund(state, params, cost, now) {
    forget(state, deadBuckets(state, params, instantOf(state, params, now)));
    let left = Math.min(cost, state.total);
    state.total -= left;
    while (left > 0) {
      const last = state.counts.length - 1;
      const taken = Math.min(left, state.counts[last]!);
      left -= taken;
      state.counts[last]! -= taken;
      if (state.counts[last] === 0) {
        state.buckets.pop();
        state.counts.pop();
      }
    }
    return state;
  },
};
