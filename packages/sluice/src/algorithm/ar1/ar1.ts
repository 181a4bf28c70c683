/** AR(1): an exponential memory; one number that fades by a fixed share at each slot. */
import { ceilMs } from "../../duration.js";
import { type Algorithm, type Quota, QuotaError, type Verdict } from "../algorithm.js";
import { healClock, type OwnClock, ownTime, restartClock } from "../own-clock.js";

interface Params {
  readonly limit: number;
  readonly precision: number;
  /** What is left of a value after one slot. */
  readonly decay: number;
}

interface State extends OwnClock {
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

function slotAt(instant: number, { precision }: Params): number {
  return Math.floor(instant / precision);
}

function valueAt(state: State, params: Params, slot: number): number {
  const value = state.value * power(params.decay, slot - slotAt(state.instant, params));
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
    const fading = Math.ceil(Math.log(ratio) / Math.log(params.decay));
    found = Math.max(found, slotAt(state.instant, params) + fading);
  }
  while (!faded(found)) found += 1;
  while (found > slot + 1 && faded(found - 1)) found -= 1;
  return found;
}

function verdictOn(
  state: State,
  params: Params,
  value: number,
  allowed: boolean,
  cost: number,
  now: number,
): Verdict {
  const { limit, precision } = params;
  const slot = slotAt(ownTime(state, now), params);
  const startOf = (later: number) => ceilMs(later * precision - state.ahead - now);
  let retryAfterMs = 0;
  if (cost > limit) retryAfterMs = Number.POSITIVE_INFINITY;
  else if (!allowed) retryAfterMs = startOf(slotBelow(state, params, slot, limit - cost));
  return {
    allowed,
    remaining: Math.max(0, Math.floor(limit - value)),
    retryAfterMs,
    resetAfterMs: value === 0 ? 0 : startOf(slotBelow(state, params, slot, 0)),
  };
}

/** Adds to a value that was `value` at this moment. */
function addValue(
  state: State,
  { limit }: Params,
  value: number,
  cost: number,
  at: number,
  now: number,
): void {
  if (value === 0) restartClock(state, now);
  else state.instant = at;
  if (value + cost > limit) state.generation = 0;
  state.value = Math.min(limit, value + cost);
}

export const ar1: Algorithm<Params, State> = {
  name: "ar1",
  stateVersion: 2,
  takes: ["precision"],

  params,

  create: () => ({ generation: 0, instant: 0, ahead: 0, value: 0 }),

  heal: (state, _params, now) => healClock(state, now),

  judge(state, params, cost, now) {
    const value = valueAt(state, params, slotAt(ownTime(state, now), params));
    return verdictOn(state, params, value, value + cost <= params.limit, cost, now);
  },

  take(state, params, cost, now) {
    const at = ownTime(state, now);
    const value = valueAt(state, params, slotAt(at, params));
    if (value + cost > params.limit) return verdictOn(state, params, value, false, cost, now);
    addValue(state, params, value, cost, at, now);
    return verdictOn(state, params, state.value, true, cost, now);
  },

  charge(state, params, cost, now) {
    const at = ownTime(state, now);
    addValue(state, params, valueAt(state, params, slotAt(at, params)), cost, at, now);
  },

  refund(state, params, cost, now, { instant }) {
    const at = ownTime(state, now);
    const slot = slotAt(at, params);
    const left = cost * power(params.decay, slot - slotAt(instant + state.ahead, params));
    state.value = Math.max(0, valueAt(state, params, slot) - left);
    state.instant = at;
  },
};
