/** Fixed window: a count for each span, aligned to the epoch. */
import { ceilMs } from "../../duration.js";
import type { Algorithm, Verdict } from "../algorithm.js";
import { healClock, type OwnClock, ownTime, restartClock } from "../own-clock.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

interface State extends OwnClock {
  count: number;
}

/** What was counted in the window that `at` lies in. */
function countAt(state: State, { span }: Params, at: number): number {
  return Math.floor(state.instant / span) === Math.floor(at / span) ? state.count : 0;
}

function verdictOn(
  state: State,
  { limit, span }: Params,
  count: number,
  allowed: boolean,
  cost: number,
  at: number,
  now: number,
): Verdict {
  const untilEnd = ceilMs((Math.floor(at / span) + 1) * span - state.ahead - now);
  return {
    allowed,
    remaining: limit - count,
    retryAfterMs: allowed ? 0 : cost > limit ? Number.POSITIVE_INFINITY : untilEnd,
    resetAfterMs: count === 0 ? 0 : untilEnd,
  };
}

/** Counts to a window that had `count` at this moment. */
function addCount(
  state: State,
  { limit }: Params,
  count: number,
  cost: number,
  at: number,
  now: number,
): void {
  if (count === 0) restartClock(state, now);
  else state.instant = at;
  if (count + cost > limit) state.generation = 0;
  state.count = Math.min(limit, count + cost);
}

export const fixedWindow: Algorithm<Params, State> = {
  name: "fixed-window",
  stateVersion: 2,
  takes: [],

  params: ({ limit, span }) => ({ limit, span }),

  create: () => ({ generation: 0, instant: 0, ahead: 0, count: 0 }),

  heal: (state, _params, now) => healClock(state, now),

  judge(state, params, cost, now) {
    const at = ownTime(state, now);
    const count = countAt(state, params, at);
    return verdictOn(state, params, count, count + cost <= params.limit, cost, at, now);
  },

  take(state, params, cost, now) {
    const at = ownTime(state, now);
    const count = countAt(state, params, at);
    if (count + cost > params.limit) return verdictOn(state, params, count, false, cost, at, now);
    addCount(state, params, count, cost, at, now);
    return verdictOn(state, params, count + cost, true, cost, state.instant, now);
  },

  charge(state, params, cost, now) {
    const at = ownTime(state, now);
    addCount(state, params, countAt(state, params, at), cost, at, now);
  },

  refund(state, { span }, cost, now, { instant }) {
    const at = ownTime(state, now);
    if (Math.floor((instant + state.ahead) / span) !== Math.floor(at / span)) return;
    state.count = Math.max(0, state.count - cost);
    state.instant = at;
  },
};
