/** Fixed window: a count for each span, aligned to the epoch. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT } from "../algorithm.js";

interface Params {
  readonly limit: number;
  readonly span: number;
}

interface State {
  window: number;
  count: number;
}

/** Now, or the start of the state's window while a small step of the clock is waited out. */
function instantOf(state: State | undefined, { span }: Params, now: number): number {
  return state === undefined ? now : Math.max(now, state.window * span);
}

function countAt(state: State | undefined, { span }: Params, at: number): number {
  return state !== undefined && state.window === Math.floor(at / span) ? state.count : 0;
}

export const fixedWindow: Algorithm<Params, State> = {
  name: "fixed-window",
  stateVersion: 1,
  takes: [],

  params: ({ limit, span }) => ({ limit, span }),

  heal(state, { span }, now) {
    if (state.window * span - now <= LARGEST_STEP_WAITED_OUT) return state;
    return { window: Math.floor(now / span), count: state.count };
  },

  fits(state, params, cost, now) {
    return countAt(state, params, instantOf(state, params, now)) + cost <= params.limit;
  },

  judge(state, params, cost, now) {
    const { limit, span } = params;
    const at = instantOf(state, params, now);
    const count = countAt(state, params, at);
    const untilEnd = ceilMs((Math.floor(at / span) + 1) * span - now);
    const allowed = count + cost <= limit;
    return {
      allowed,
      remaining: limit - count,
      retryAfterMs: allowed ? 0 : cost > limit ? Number.POSITIVE_INFINITY : untilEnd,
      resetAfterMs: count === 0 ? 0 : untilEnd,
    };
  },

  charge(state = { window: 0, count: 0 }, params, cost, now) {
    const at = instantOf(state, params, now);
    state.count = Math.min(params.limit, countAt(state, params, at) + cost);
    state.window = Math.floor(at / params.span);
    return state;
  },

  refund(state, params, cost, now) {
    const at = instantOf(state, params, now);
    state.count = Math.max(0, countAt(state, params, at) - cost);
    state.window = Math.floor(at / params.span);
    return state;
  },
};
