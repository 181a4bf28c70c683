/** A state's own clock, for algorithms whose windows are aligned to the epoch. */
import { LARGEST_STEP_WAITED_OUT } from "./algorithm.js";

/**
 * `instant` is that of the last charge, `ahead` how far the state's own clock is ahead of the store's: 0 until the
 * store's clock steps back. From then on the state goes on as if there had been no step, its windows where they
 * were, until nothing is left of it. A charge made before `since`, on the store's clock, is not known by its instant:
 * it is not in this state, or was made before the clock stepped back.
 */
export interface OwnClock {
  instant: number;
  ahead: number;
  since: number;
}

/** The state's own time; it stands still while a small step of the clock is waited out. */
export function ownTime(state: OwnClock, now: number): number {
  return Math.max(now + state.ahead, state.instant);
}

export function healClock(state: OwnClock, now: number): boolean {
  if (state.instant - (now + state.ahead) <= LARGEST_STEP_WAITED_OUT) return false;
  state.since = Math.max(state.since, state.instant - state.ahead + 1);
  state.ahead = state.instant - now;
  return true;
}

/** For the first charge of an unused state. */
export function restartClock(state: OwnClock, now: number): void {
  state.since = Math.max(state.since, now);
  state.instant = now;
  state.ahead = 0;
}

/** On the state's own clock, when a charge was made that it holds; undefined where it is not known. */
export function ownInstantOf(state: OwnClock, chargedAt: number): number | undefined {
  const own = chargedAt + state.ahead;
  return state.since <= chargedAt && own <= state.instant ? own : undefined;
}
