/** Sliding counter: the previous window, weighted by the share of it still in view, plus the current one. */
import { ceilMs } from "../../duration.js";
import type { Algorithm, Verdict } from "../algorithm.js";
import { healClock, type OwnClock, ownTime, restartClock } from "../own-clock.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

interface State extends OwnClock {
  previous: number;
  current: number;
}

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

/** The two windows as seen at `at`. */
interface View {
  readonly at: number;
  readonly window: number;
  readonly previous: number;
  readonly current: number;
}

function viewAt(state: State, params: Params, now: number): View {
  const at = ownTime(state, now);
  const window = Math.floor(at / params.span);
  return {
    at,
    window,
    previous: previousAt(state, params, window),
    current: currentAt(state, params, window),
  };
}

function judgeView(state: State, params: Params, view: View, cost: number, now: number): Verdict {
  const { limit, span } = params;
  const { at, window, previous, current } = view;
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

  return { allowed, remaining: Math.max(0, limit - current - Math.ceil(weight)), retryAfterMs, resetAfterMs };
}

function chargeView(
  state: State,
  { limit }: Params,
  { at, previous, current }: View,
  cost: number,
  now: number,
): void {
  if (previous + current === 0) restartClock(state, now);
  else state.instant = at;
  if (current + cost > limit) state.generation = 0;
  state.previous = previous;
  state.current = Math.min(limit, current + cost);
}

export const slidingCounter: Algorithm<Params, State> = {
  name: "sliding-counter",
  stateVersion: 2,
  takes: [],

  params: ({ limit, span }) => ({ limit, span }),

  create: () => ({ generation: 0, instant: 0, ahead: 0, previous: 0, current: 0 }),

  heal: (state, _params, now) => healClock(state, now),

  judge: (state, params, cost, now) => judgeView(state, params, viewAt(state, params, now), cost, now),

  take(state, params, cost, now) {
    const view = viewAt(state, params, now);
    const { at, window, previous, current } = view;
    const { limit, span } = params;
    const weight = weighted(previous, window, params, at);
    if (weight > limit - cost - current) return judgeView(state, params, view, cost, now);
    chargeView(state, params, view, cost, now);
    return {
      allowed: true,
      remaining: Math.max(0, limit - state.current - Math.ceil(weight)),
      retryAfterMs: 0,
      resetAfterMs: ceilMs((Math.floor(state.instant / span) + 2) * span - state.ahead - now),
    };
  },

  charge: (state, params, cost, now) => chargeView(state, params, viewAt(state, params, now), cost, now),

  refund(state, params, cost, now, { instant }) {
    const { at, window, previous, current } = viewAt(state, params, now);
    const chargedIn = Math.floor((instant + state.ahead) / params.span);
    if (chargedIn < window - 1) return;
    state.previous = chargedIn === window - 1 ? Math.max(0, previous - cost) : previous;
    state.current = chargedIn === window ? Math.max(0, current - cost) : current;
    state.instant = at;
  },
};
