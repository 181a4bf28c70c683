/** Sliding log: the instant of every unit, in a ring, so that any limit costs the same. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT, type Quota, QuotaError } from "../algorithm.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

/**
 * `count` instants in the order in which they came, beginning at `first`. A stored instant lies `ahead` of
 * the one it stands for: after a step of the clock that one number moves the whole log.
 */
interface State {
  ring: number[];
  first: number;
  count: number;
  ahead: number;
}

/** Eight bytes each; a larger log would weigh more than the traffic it guards. */
const MOST_UNITS = 10_000_000;
const FIRST_PLACES = 4;

function params({ limit, span }: Quota): Params {
  if (limit > MOST_UNITS) {
    throw new QuotaError(
      "limit",
      `sliding-log remembers every unit and holds at most ${MOST_UNITS}: add gcra, sliding-counter or a precision`,
    );
  }
  return { limit, span };
}

function read(state: State, index: number): number {
  return state.ring[(state.first + index) % state.ring.length]! - state.ahead;
}

/** Now, or the newest instant while a small step of the clock is waited out. */
function instantOf(state: State | undefined, now: number): number {
  return state === undefined || state.count === 0 ? now : Math.max(now, read(state, state.count - 1));
}

/**
 * How many of the oldest units have died: one exactly a span old no longer counts. Gallops from the
 * oldest, since usually few have died since the last charge.
 */
function deadUnits(state: State, { span }: Params, at: number): number {
  let dead = 0;
  let stride = 1;
  while (dead + stride <= state.count && read(state, dead + stride - 1) + span <= at) {
    dead += stride;
    stride *= 2;
  }
  let end = Math.min(dead + stride - 1, state.count);
  while (dead < end) {
    const middle = Math.floor((dead + end) / 2);
    if (read(state, middle) + span <= at) dead = middle + 1;
    else end = middle;
  }
  return dead;
}

function forget(state: State, units: number): void {
  if (units === 0) return;
  state.count -= units;
  state.first = state.count === 0 ? 0 : (state.first + units) % state.ring.length;
  if (state.count === 0) state.ahead = 0;
}

/** Room for `places`, doubling, so that a key which uses little of a large limit weighs little. */
function grow(state: State, places: number, limit: number): void {
  if (places <= state.ring.length) return;
  const ordered = Array.from({ length: state.count }, (_, index) => read(state, index) + state.ahead);
  const size = Math.min(limit, Math.max(places, 2 * state.ring.length, FIRST_PLACES));
  while (ordered.length < size) ordered.push(0);
  state.ring = ordered;
  state.first = 0;
}

export const slidingLog: Algorithm<Params, State> = {
  name: "sliding-log",
  stateVersion: 1,
  takes: [],

  params,

  heal(state, _params, now) {
    const ahead = instantOf(state, now) - now;
    if (ahead <= LARGEST_STEP_WAITED_OUT) return state;
    return { ...state, ahead: state.ahead + ahead };
  },

  fits(state, params, cost, now) {
    if (state === undefined) return cost <= params.limit;
    return state.count - deadUnits(state, params, instantOf(state, now)) + cost <= params.limit;
  },

  judge(state, params, cost, now) {
    const { limit, span } = params;
    const dead = state === undefined ? 0 : deadUnits(state, params, instantOf(state, now));
    const live = state === undefined ? 0 : state.count - dead;
    const excess = live + cost - limit;
    const untilForgotten = (unit: number) => (state === undefined ? 0 : ceilMs(read(state, unit) + span - now));

    let retryAfterMs = 0;
    if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
    else if (excess > 0) retryAfterMs = untilForgotten(dead + excess - 1);

    return {
      allowed: excess <= 0,
      remaining: limit - live,
      retryAfterMs,
      resetAfterMs: live === 0 ? 0 : untilForgotten(dead + live - 1),
    };
  },

  /** Beyond the limit the oldest units make room: only the newest `limit` units can decide anything. */
  charge(state = { ring: [], first: 0, count: 0, ahead: 0 }, params, cost, now) {
    const at = instantOf(state, now);
    forget(state, deadUnits(state, params, at));
    const units = Math.min(cost, params.limit);
    forget(state, Math.max(0, state.count + units - params.limit));
    grow(state, state.count + units, params.limit);
    for (let unit = 0; unit < units; unit += 1) {
      state.ring[(state.first + state.count + unit) % state.ring.length] = at + state.ahead;
    }
    state.count += units;
    return state;
  },

  refund(state, params, cost, now) {
    forget(state, deadUnits(state, params, instantOf(state, now)));
    state.count -= Math.min(cost, state.count);
    return state;
  },
};
