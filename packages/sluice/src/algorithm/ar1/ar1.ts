/** AR(1): an exponential memory; one number that fades by a fixed share at each slot. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, LARGEST_STEP_WAITED_OUT, type Quota, QuotaError } from "../algorithm.js";

interface Params {
  readonly limit: number;
  readonly precision: number;
  /** What is left of a value after one slot. */
  readonly decay: number;
}

interface State {
  slot: number;
  value: number;
}

/** A value below this is zero: it can no longer change any verdict. */
const NEGLIGIBLE = 1e-6;

/** With more slots in a span, the rounding of a power would blur the boundary between two slots. */
const MOST_SLOTS = 1_000_000;

function params({ limit, span, precision = span }: Quota): Params {
  if (span / precision > MOST_SLOTS) {
    throw new QuotaError(
      "precision",
      `ar1 holds at most ${MOST_SLOTS} slots in a span: use a coarser precision`,
    );
  }
  return { limit, precision, decay: (span - precision) / span };
}

/** By squaring, since `pow` differs in the last bit between JavaScript and Lua. */
function power(base: number, exponent: number): number {
  let result = 1;
  let factor = base;
  let left = exponent;
  while (left > 0) {
    if (left % 2 === 1) result *= factor;
    factor *= factor;
    left = Math.floor(left / 2);
  }
  return result;
}

/** The current slot, or the state's own while a small step of the clock is waited out. */
function slotOf(state: State | undefined, { precision }: Params, now: number): number {
  const slot = Math.floor(now / precision);
  return state === undefined ? slot : Math.max(slot, state.slot);
}

function valueAt(state: State | undefined, { decay }: Params, slot: number): number {
  if (state === undefined) return 0;
  const value = state.value * power(decay, slot - state.slot);
  return value < NEGLIGIBLE ? 0 : value;
}

/**
 * The first slot after `slot` in which the value is at most `target`. The logarithm only guesses; the
 * same arithmetic that will judge then settles it, so that the promise is kept to the slot.
 */
function slotBelow(state: State, params: Params, slot: number, target: number): number {
  const faded = (later: number) => valueAt(state, params, later) <= target;
  let found = slot + 1;
  if (params.decay > 0) {
    const ratio = Math.max(target, NEGLIGIBLE) / state.value;
    found = Math.max(found, state.slot + Math.ceil(Math.log(ratio) / Math.log(params.decay)));
  }
  while (!faded(found)) found += 1;
  while (found > slot + 1 && faded(found - 1)) found -= 1;
  return found;
}

export const ar1: Algorithm<Params, State> = {
  name: "ar1",
  stateVersion: 1,
  takes: ["precision"],

  params,

  heal(state, { precision }, now) {
    if (state.slot * precision - now <= LARGEST_STEP_WAITED_OUT) return state;
    return { slot: Math.floor(now / precision), value: state.value };
  },

  fits(state, params, cost, now) {
    return valueAt(state, params, slotOf(state, params, now)) + cost <= params.limit;
  },

  judge(state, params, cost, now) {
    const { limit, precision } = params;
    const slot = slotOf(state, params, now);
    const value = valueAt(state, params, slot);
    const allowed = value + cost <= limit;

    let retryAfterMs = 0;
    if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
    else if (!allowed && state !== undefined) {
      retryAfterMs = ceilMs(slotBelow(state, params, slot, limit - cost) * precision - now);
    }

    let resetAfterMs = 0;
    if (value > 0 && state !== undefined) {
      resetAfterMs = ceilMs(slotBelow(state, params, slot, 0) * precision - now);
    }

    return { allowed, remaining: Math.max(0, Math.floor(limit - value)), retryAfterMs, resetAfterMs };
  },

  charge(state = { slot: 0, value: 0 }, params, cost, now) {
    const slot = slotOf(state, params, now);
    state.value = Math.min(params.limit, valueAt(state, params, slot) + cost);
    state.slot = slot;
    return state;
  },

  refund(state, params, cost, now) {
    const slot = slotOf(state, params, now);
    state.value = Math.max(0, valueAt(state, params, slot) - cost);
    state.slot = slot;
    return state;
  },
};
