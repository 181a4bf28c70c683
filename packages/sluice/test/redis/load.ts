/** Callers that ask again and again until they are told to stop, and a tally of what came of it. */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Decision } from "../../src/decision/decision.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { until } from "../redis-servers/until.js";

export interface Tally {
  admitted: number;
  refused: number;
  /** By reason; what is not a StoreUnavailable is in `strays`. */
  readonly failed: Record<string, number>;
  readonly strays: unknown[];
  longestMs: number;
}

export interface Load {
  readonly tally: Tally;
  /** Waits until so many more calls have been decided. */
  decided(more: number): Promise<void>;
  stop(): Promise<Tally>;
}

/** A caller who was given an error waits a moment, as who retries should. */
const PAUSE_AFTER_FAILURE_MS = 5;

export function startLoad(callers: number, call: () => Promise<Decision>): Load {
  const tally: Tally = { admitted: 0, refused: 0, failed: {}, strays: [], longestMs: 0 };
  let running = true;
  async function ask(): Promise<void> {
    while (running) {
      const begin = performance.now();
      try {
        const { allowed } = await call();
        tally[allowed ? "admitted" : "refused"] += 1;
        tally.longestMs = Math.max(tally.longestMs, performance.now() - begin);
        await nextTurn();
      } catch (error) {
        tally.longestMs = Math.max(tally.longestMs, performance.now() - begin);
        if (error instanceof StoreUnavailable)
          tally.failed[error.reason] = (tally.failed[error.reason] ?? 0) + 1;
        else tally.strays.push(error);
        await delay(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }
  const done = Promise.all(Array.from({ length: callers }, ask));
  const decided = () => tally.admitted + tally.refused;
  return {
    tally,
    async decided(more) {
      const goal = decided() + more;
      await until(`${more} more calls are decided`, () => decided() >= goal);
    },
    async stop() {
      running = false;
      await done;
      return tally;
    },
  };
}

export function failuresOf({ failed }: Tally): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}
