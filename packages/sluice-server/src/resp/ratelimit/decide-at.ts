/** Decisions as of an instant that a command names. */
import { type Answer, type Clock, memoryStore, type Plan, type PlanVerdict, type Store } from "sluice";

/** The instant in microseconds. */
export type DecideAt = (plan: Plan, instant: number) => Answer<PlanVerdict>;

/** Makes the store that is asked: on Redis another one on the same keys, with this clock. */
export type StoreAt = (clock: Clock) => Store;

const MOST_KEYS = 100_000;

/**
 * In memory what has a timestamp is counted apart from what has none: an instant far from now would have the store
 * take all that is alive for dead.
 */
export const apartInMemory: StoreAt = (clock) => memoryStore({ clock, maxKeys: MOST_KEYS });

interface ClockedStore {
  now: number;
  readonly store: Store;
}

const MOST_IDLE = 256;

/**
 * A store reads its clock when it sends, so that while it has no answer its clock has to stand still. So each call takes
 * a store of its own, and nobody waits for the instant of another. A store that answers at once is always the same one.
 */
export function decideAtOn(storeAt: StoreAt): DecideAt {
  const idle: ClockedStore[] = [];

  function create(): ClockedStore {
    const clocked: ClockedStore = { now: 0, store: storeAt(() => clocked.now) };
    return clocked;
  }

  function release(clocked: ClockedStore): void {
    if (idle.length < MOST_IDLE) idle.push(clocked);
  }

  return (plan, instant) => {
    const clocked = idle.pop() ?? create();
    clocked.now = instant;
    const answer = clocked.store.decide(plan);
    if (answer instanceof Promise) {
      const released = () => release(clocked);
      answer.then(released, released);
    } else release(clocked);
    return answer;
  };
}
