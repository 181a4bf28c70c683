/** Sliding counter: the previous window, weighted by the share of it still in view, plus the current one. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT } from "../algorithm.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

interface State {
  window: number;
  previous: number;
  current: number;
}

const UNUSED: Readonly<State> = { window: 0, previous: 0, current: 0 };

/** Now, or the start of the state's window while a small step of the clock is waited out. */
function instantOf(state: State, { span }: Params, now: number): number {
  return Math.max(now, state.window * span);
}

/** What was counted in the window before the one that `at` lies in. */
function previousAt(state: State, window: number): number {
  if (state.window === window) return state.previous;
  return state.window === window - 1 ? state.current : 0;
}

function currentAt(state: State, window: number): number {
  return state.window === window ? state.current : 0;
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
  stateVersion: 1,
  takes: [],

  params: ({ limit, span }) => ({ limit, span }),

  heal(state, { span }, now) {
    if (state.window * span - now <= LARGEST_STEP_WAITED_OUT) return state;
    return { ...state, window: Math.floor(now / span) };
  },

  fits(state = UNUSED, params, cost, now) {
    const at = instantOf(state, params, now);
    const window = Math.floor(at / params.span);
    const weight = weighted(previousAt(state, window), window, params, at);
    return weight <= params.limit - cost - currentAt(state, window);
  },

  judge(state = UNUSED, params, cost, now) {
    const { limit, span } = params;
    const at = instantOf(state, params, now);
    const window = Math.floor(at / span);
    const previous = previousAt(state, window);
    const current = currentAt(state, window);
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
      retryAfterMs = ceilMs(next - now);
    }

    let resetAfterMs = 0;
    if (current > 0) resetAfterMs = ceilMs((window + 2) * span - now);
    else if (previous > 0) resetAfterMs = ceilMs((window + 1) * span - now);

    return {
      allowed,
      remaining: Math.max(0, limit - current - Math.ceil(weight)),
      retryAfterMs,
      resetAfterMs,
    };
  },

  charge(state = { ...UNUSED }, params, cost, now) {
    const window = Math.floor(instantOf(state, params, now) / params.span);
    const current = currentAt(state, window);
    state.previous = previousAt(state, window);
    state.current = Math.min(params.limit, current + cost);
    state.window = window;
    return state;
  },

  refund(state, params, cost, now) {
    const window = Math.floor(instantOf(state, params, now) / params.span);
    const current = currentAt(state, window);
    const fromCurrent = Math.min(current, cost);
    state.previous = Math.max(0, previousAt(state, window) - (cost - fromCurrent));
    state.current = current - fromCurrent;
    state.window = window;
    return state;
  },
};
