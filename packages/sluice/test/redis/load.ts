/** Callers that ask again and again until they are told to stop, and a tally of what came of it. */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Decision } from "../../src/decision/decision.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { type Span, watchStarvation } from "../redis-failures/starvation.js";
import { until } from "../redis-servers/until.js";

export interface Tally {
  admitted: number;
  refused: number;
  /** By reason; what is not a StoreUnavailable is in `strays`. */
  readonly failed: Record<string, number>;
  readonly strays: unknown[];
  /** Known at the end: by how much the slowest call was late, but for the measured delay by a busy machine. */
  latestMs: number;
}

export interface Load {
  readonly tally: Tally;
  /** Waits until so many more calls have been decided. */
  decided(more: number): Promise<void>;
  stop(): Promise<Tally>;
}

/** A caller who was given an error waits a moment, as who retries should. */
const PAUSE_AFTER_FAILURE_MS = 5;

export function startLoad(
  callers: number,
  call: () => Promise<Decision>,
  deadlineMs = Number.POSITIVE_INFINITY,
): Load {
  const tally: Tally = { admitted: 0, refused: 0, failed: {}, strays: [], latestMs: 0 };
  const watch = watchStarvation();
  const late: Span[] = [];
  let running = true;
  function ended(start: number): void {
    const span = { start, due: start + deadlineMs, end: performance.now() };
    if (span.end > span.due) late.push(span);
  }
  async function ask(): Promise<void> {
    while (running) {
      const begin = performance.now();
      try {
        const { allowed } = await call();
        tally[allowed ? "admitted" : "refused"] += 1;
        ended(begin);
        await nextTurn();
      } catch (error) {
        ended(begin);
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
      const delayOf = watch.stop();
      tally.latestMs = Math.max(0, ...late.map((span) => span.end - span.due - delayOf(span)));
      return tally;
    },
  };
}

export function failuresOf({ failed }: Tally): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}
