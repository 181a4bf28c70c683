/** Sliding log: the instant of every unit, in a ring, so that any limit costs the same. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT, type Quota, QuotaError } from "../algorithm.js";
import { countLeading, dropRecords, forgetOldest, makeRoom, placeOf, type Ring, ringBytes } from "../ring.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

/**
 * One instant for each unit. A stored instant lies `ahead` of the one it stands for: after a step of the
 * clock that one number moves the whole log.
 */
interface State extends Ring {
  ahead: number;
  /** The last of the stored instants, which is asked for most. */
  newest: number;
  /** Charges made before are not in this log, or were made before the clock stepped back. */
  since: number;
}

/** Eight bytes each; a larger log would weigh more than the traffic it guards. */
const MOST_UNITS = 10_000_000;
const WIDTH = 1;

function params({ limit, span }: Quota): Params {
  if (limit > MOST_UNITS) {
    throw new QuotaError(
      "limit",
      `sliding-log remembers every unit and holds at most ${MOST_UNITS}: add gcra, sliding-counter or a precision`,
    );
  }
  return { limit, span };
}

function instantAt(state: State, index: number): number {
  return state.places[placeOf(state, index, WIDTH)]! - state.ahead;
}

/** Now, or the newest instant while a small step of the clock is waited out. */
function instantOf(state: State | undefined, now: number): number {
  return state === undefined || state.count === 0 ? now : Math.max(now, state.newest - state.ahead);
}

/** How many of the oldest units have died: one exactly a span old no longer counts. */
function deadUnits(state: State, { span }: Params, at: number): number {
  if (state.count === 0 || instantAt(state, 0) + span > at) return 0;
  return countLeading(state.count, (index) => instantAt(state, index) + span <= at);
}

function forget(state: State, units: number): void {
  if (units === 0) return;
  forgetOldest(state, units, WIDTH);
  if (state.count === 0) state.ahead = 0;
}

function append(state: State, units: number, instant: number): void {
  state.newest = instant;
  for (let unit = 0; unit < units; unit += 1) {
    state.places[placeOf(state, state.count, WIDTH)] = instant;
    state.count += 1;
  }
}

export const slidingLog: Algorithm<Params, State> = {
  name: "sliding-log",
  stateVersion: 2,
  takes: [],

  params,

  heal(state, _params, now) {
    const ahead = instantOf(state, now) - now;
    if (ahead <= LARGEST_STEP_WAITED_OUT) return state;
    const since = Math.max(state.since, state.newest - state.ahead + 1);
    return { ...state, ahead: state.ahead + ahead, since };
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

    let retryAfterMs = 0;
    if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
    else if (excess > 0) retryAfterMs = ceilMs(instantAt(state!, dead + excess - 1) + span - now);

    return {
      allowed: excess <= 0,
      remaining: limit - live,
      retryAfterMs,
      resetAfterMs: live === 0 ? 0 : ceilMs(state!.newest - state!.ahead + span - now),
    };
  },

  /** Beyond the limit the oldest units make room: only the newest `limit` units can decide anything. */
  charge(state = { places: [], first: 0, count: 0, ahead: 0, newest: 0, since: 0 }, params, cost, now) {
    const at = instantOf(state, now);
    const units = Math.min(cost, params.limit);
    forget(state, Math.max(deadUnits(state, params, at), state.count + units - params.limit));
    if (state.count === 0) state.since = Math.max(state.since, now);
    makeRoom(state, units, params.limit, WIDTH);
    append(state, units, at + state.ahead);
    return state;
  },

  /** Where no unit has died and nothing has to be healed. The ring never has room for more than the limit. */
  spend(state, { limit, span }, cost, now) {
    const at = instantOf(state, now);
    const live = state.count + cost;
    if (live > state.places.length) return undefined;
    if (state.count === 0 || instantAt(state, 0) + span <= at) return undefined;
    if (at - now > LARGEST_STEP_WAITED_OUT) return undefined;
    append(state, cost, at + state.ahead);
    return { allowed: true, remaining: limit - live, retryAfterMs: 0, resetAfterMs: ceilMs(at + span - now) };
  },

  /** Drops units of that very instant; those that came later move up. */
  refund(state, params, cost, now, { instant: chargedAt }) {
    if (chargedAt < state.since) return state;
    forget(state, deadUnits(state, params, instantOf(state, now)));
    const newest = state.count - 1;
    const later = countLeading(state.count, (index) => instantAt(state, newest - index) > chargedAt);
    const last = newest - later;
    const units = countLeading(
      Math.min(cost, last + 1),
      (index) => instantAt(state, last - index) === chargedAt,
    );
    dropRecords(state, last + 1 - units, units, WIDTH);
    if (state.count > 0) state.newest = state.places[placeOf(state, state.count - 1, WIDTH)]!;
    return state;
  },

  bytes: ringBytes,
};
