/** Decisions as of an instant that a test names: on a store of their own, whose clock is set for each. */
import { type Answer, type Clock, memoryStore, type Plan, type PlanVerdict, type Store } from "sluice";

/** The instant in microseconds. */
export type DecideAt = (plan: Plan, instant: number) => Answer<PlanVerdict>;

/** Makes the store that is asked: on Redis a second one on the same keys, with this clock. */
export type StoreAt = (clock: Clock) => Store;

const MOST_KEYS = 100_000;

/**
 * In memory what has a timestamp is counted apart from what has none: an instant far from now would have the store
 * take all that is alive for dead.
 */
export const apartInMemory: StoreAt = (clock) => memoryStore({ clock, maxKeys: MOST_KEYS });

/** One at a time, since a store that answers later also reads its clock later. */
export function decideAtOn(storeAt: StoreAt): DecideAt {
  let now = 0;
  let store: Store | undefined;
  let earlier: Promise<unknown> | undefined;

  return (plan, instant) => {
    const ask = () => {
      store ??= storeAt(() => now);
      now = instant;
      return store.decide(plan);
    };
    const answer = earlier === undefined ? ask() : earlier.then(ask);
    if (answer instanceof Promise) {
      const settled: Promise<unknown> = answer.then(
        () => {},
        () => {},
      );
      earlier = settled;
      void settled.then(() => {
        if (earlier === settled) earlier = undefined;
      });
    }
    return answer;
  };
}
