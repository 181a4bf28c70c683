/** A state's own clock, for algorithms whose windows are aligned to the epoch. */
import { type AlgorithmState, LARGEST_STEP_WAITED_OUT } from "./algorithm.js";

/**
 * `instant` is that of the last charge, `ahead` how far the state's own clock is ahead of the store's: 0 until the
 * store's clock steps back. From then on the state goes on as if there had been no step, its windows where they
 * were, until nothing is left of it.
 */
export interface OwnClock extends AlgorithmState {
  instant: number;
  ahead: number;
}

/** The state's own time; it stands still while a small step of the clock is waited out. */
export function ownTime(state: OwnClock, now: number): number {
  return Math.max(now + state.ahead, state.instant);
}

export function healClock(state: OwnClock, now: number): boolean {
  if (state.instant - (now + state.ahead) <= LARGEST_STEP_WAITED_OUT) return false;
  state.ahead = state.instant - now;
  state.generation = 0;
  return true;
}

/** For the first charge of an unused state. */
export function restartClock(state: OwnClock, now: number): void {
  state.instant = now;
  state.ahead = 0;
  state.generation = 0;
}
