/** Sliding counter: the previous window, weighted by the share of it still in view, plus the current one. */
import { ceilMs } from "../../duration.js";
import type { Algorithm } from "../algorithm.js";
import { healClock, type OwnClock, ownInstantOf, ownTime, restartClock } from "../own-clock.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

interface State extends OwnClock {
  previous: number;
  current: number;
}

const UNUSED: Readonly<State> = { instant: 0, ahead: 0, since: 0, previous: 0, current: 0 };

/** What was counted in the window before `window`. */
function previousAt(state: State, { span }: Params, window: number): number {
  const own = Math.floor(state.instant / span);
  if (own === window) return state.previous;
  return own === window - 1 ? state.current : 0;
}

function currentAt(state: State, { span }: Params, window: number): number {
  return Math.floor(state.instant / span) === window ? state.current : 0;
}

/**
 * What the previous window still counts for. Multiplying before dividing keeps every comparison with a
 * whole number exact while limit times span stays below 2^53, and off by less than one in 2^52 above.
 */
function weighted(previous: number, window: number, { span }: Params, at: number): number {
  return (previous * (span - (at - window * span))) / span;
}

/** The first instant of `window` at which `previous` weighs no more than `room`. */
function instantWithRoom(window: number, previous: number, room: number, { span }: Params): number {
  if (previous <= room) return window * span;
  return (window + 1) * span - Math.floor((room * span) / previous);
}

export const slidingCounter: Algorithm<Params, State> = {
  name: "sliding-counter",
  stateVersion: 2,
  takes: [],

  params: ({ limit, span }) => ({ limit, span }),

  heal(state, _params, now) {
    healClock(state, now);
    return state;
  },

  fits(state = UNUSED, params, cost, now) {
    const at = ownTime(state, now);
    const window = Math.floor(at / params.span);
    const weight = weighted(previousAt(state, params, window), window, params, at);
    return weight <= params.limit - cost - currentAt(state, params, window);
  },

  judge(state = UNUSED, params, cost, now) {
    const { limit, span } = params;
    const at = ownTime(state, now);
    const window = Math.floor(at / span);
    const previous = previousAt(state, params, window);
    const current = currentAt(state, params, window);
    const weight = weighted(previous, window, params, at);
    const room = limit - cost - current;
    const allowed = weight <= room;

    let retryAfterMs = 0;
    if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
    else if (!allowed) {
      const next =
        room >= 0
          ? instantWithRoom(window, previous, room, params)
          : instantWithRoom(window + 1, current, limit - cost, params);
      retryAfterMs = Math.max(1, ceilMs(next - state.ahead - now));
    }

    let resetAfterMs = 0;
    if (current > 0) resetAfterMs = ceilMs((window + 2) * span - state.ahead - now);
    else if (previous > 0) resetAfterMs = ceilMs((window + 1) * span - state.ahead - now);

    return {
      allowed,
      remaining: Math.max(0, limit - current - Math.ceil(weight)),
      retryAfterMs,
      resetAfterMs,
    };
  },

  charge(state = { ...UNUSED }, params, cost, now) {
    const at = ownTime(state, now);
    const window = Math.floor(at / params.span);
    const previous = previousAt(state, params, window);
    const current = currentAt(state, params, window);
    if (previous + current === 0) restartClock(state, now);
    else state.instant = at;
    state.previous = previous;
    state.current = Math.min(params.limit, current + cost);
    return state;
  },

  refund(state, params, cost, now, { instant: chargedAt }) {
    const charged = ownInstantOf(state, chargedAt);
    if (charged === undefined) return state;
    const at = ownTime(state, now);
    const window = Math.floor(at / params.span);
    const chargedIn = Math.floor(charged / params.span);
    if (chargedIn < window - 1) return state;
    const previous = previousAt(state, params, window);
    const current = currentAt(state, params, window);
    state.previous = chargedIn === window - 1 ? Math.max(0, previous - cost) : previous;
    state.current = chargedIn === window ? Math.max(0, current - cost) : current;
    state.instant = at;
    return state;
  },
};
