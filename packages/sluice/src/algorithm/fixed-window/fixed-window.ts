/** Fixed window: a count for each span, aligned to the epoch. */
import { ceilMs } from "../../duration.js";
import type { Algorithm } from "../algorithm.js";
import { healClock, type OwnClock, ownInstantOf, ownTime, restartClock } from "../own-clock.js";

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

export const fixedWindow: Algorithm<Params, State> = {
  name: "fixed-window",
  stateVersion: 2,
  takes: [],

  params: ({ limit, span }) => ({ limit, span }),

  heal(state, _params, now) {
    healClock(state, now);
    return state;
  },

  fits(state, params, cost, now) {
    const count = state === undefined ? 0 : countAt(state, params, ownTime(state, now));
    return count + cost <= params.limit;
  },

  judge(state, params, cost, now) {
    const { limit, span } = params;
    const at = state === undefined ? now : ownTime(state, now);
    const count = state === undefined ? 0 : countAt(state, params, at);
    const ahead = state === undefined ? 0 : state.ahead;
    const untilEnd = ceilMs((Math.floor(at / span) + 1) * span - ahead - now);
    const allowed = count + cost <= limit;
    return {
      allowed,
      remaining: limit - count,
      retryAfterMs: allowed ? 0 : cost > limit ? Number.POSITIVE_INFINITY : untilEnd,
      resetAfterMs: count === 0 ? 0 : untilEnd,
    };
  },

  charge(state = { instant: 0, count: 0, ahead: 0, since: 0 }, params, cost, now) {
    const at = ownTime(state, now);
    const count = countAt(state, params, at);
    if (count === 0) restartClock(state, now);
    else state.instant = at;
    state.count = Math.min(params.limit, count + cost);
    return state;
  },

  /** In the window that was counted in last, and while the clock has never stepped back. */
  spend(state, { limit, span }, cost, now) {
    const begin = Math.floor(now / span) * span;
    const count = state.count + cost;
    if (count > limit || state.ahead !== 0 || state.instant < begin || state.instant > now) return undefined;
    state.instant = now;
    state.count = count;
    return {
      allowed: true,
      remaining: limit - count,
      retryAfterMs: 0,
      resetAfterMs: ceilMs(begin + span - now),
    };
  },

  refund(state, params, cost, now, { instant: chargedAt }) {
    const at = ownTime(state, now);
    const charged = ownInstantOf(state, chargedAt);
    if (charged === undefined || Math.floor(charged / params.span) !== Math.floor(at / params.span))
      return state;
    state.count = Math.max(0, state.count - cost);
    state.instant = at;
    return state;
  },
};
