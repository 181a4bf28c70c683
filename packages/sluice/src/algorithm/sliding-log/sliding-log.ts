/** Sliding log: the instant of every unit, in a ring, so that any limit costs the same. */
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
}

/**
 * One instant for each unit. A stored instant lies `ahead` of the one it stands for: after a step of the
 * clock that one number moves the whole log.
 */
interface State extends AlgorithmState, Ring {
  ahead: number;
  /** The last of the stored instants, which is asked for most. */
  newest: number;
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
function instantOf(state: State, now: number): number {
  return state.count === 0 ? now : Math.max(now, state.newest - state.ahead);
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

/** Beyond the limit the oldest units make room: only the newest `limit` units can decide anything. */
function append(state: State, { limit }: Params, dead: number, cost: number, at: number): void {
  const units = Math.min(cost, limit);
  const displaced = state.count + cost - limit;
  if (displaced > dead) state.generation = 0;
  forget(state, Math.max(dead, state.count + units - limit));
  if (state.count === 0) state.generation = 0;
  makeRoom(state, units, limit, WIDTH);
  const instant = at + state.ahead;
  state.newest = instant;
  for (let unit = 0; unit < units; unit += 1) {
    state.places[placeOf(state, state.count, WIDTH)] = instant;
    state.count += 1;
  }
}

function verdictOn(
  state: State,
  params: Params,
  dead: number,
  excess: number,
  cost: number,
  now: number,
): Verdict {
  const { limit, span } = params;
  const live = state.count - dead;
  let retryAfterMs = 0;
  if (excess > 0) {
    retryAfterMs =
      cost > limit ? Number.POSITIVE_INFINITY : ceilMs(instantAt(state, dead + excess - 1) + span - now);
  }
  return {
    allowed: excess <= 0,
    remaining: limit - live,
    retryAfterMs,
    resetAfterMs: live === 0 ? 0 : ceilMs(state.newest - state.ahead + span - now),
  };
}

export const slidingLog: Algorithm<Params, State> = {
  name: "sliding-log",
  stateVersion: 2,
  takes: [],

  params,

  create: () => ({ generation: 0, places: [], first: 0, count: 0, ahead: 0, newest: 0 }),

  heal(state, _params, now) {
    const ahead = instantOf(state, now) - now;
    if (ahead <= LARGEST_STEP_WAITED_OUT) return false;
    state.ahead += ahead;
    state.generation = 0;
    return true;
  },

  judge(state, params, cost, now) {
    const dead = deadUnits(state, params, instantOf(state, now));
    return verdictOn(state, params, dead, state.count - dead + cost - params.limit, cost, now);
  },

  take(state, params, cost, now) {
    const at = instantOf(state, now);
    const dead = deadUnits(state, params, at);
    const excess = state.count - dead + cost - params.limit;
    if (excess > 0) return verdictOn(state, params, dead, excess, cost, now);
    append(state, params, dead, cost, at);
    return verdictOn(state, params, 0, 0, cost, now);
  },

  charge(state, params, cost, now) {
    const at = instantOf(state, now);
    append(state, params, deadUnits(state, params, at), cost, at);
  },

  /** Drops units of that very instant; those that came later move up. */
  refund(state, params, cost, now, { instant: chargedAt }) {
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
  },

  bytes: ringBytes,
};
