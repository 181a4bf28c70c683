/** How long a server takes for what it answers at once, measured beside a deadline that is judged. */
import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 5;

/** Asks again and again until stopped, and then gives the longest wait, for both ends and the machine between. */
export function watchLag(ask: () => Promise<unknown>): { stop(): Promise<number> } {
  let stopped = false;
  async function watch(): Promise<number> {
    let longest = 0;
    while (!stopped) {
      const start = performance.now();
      await ask();
      await delay(PAUSE_MS);
      // The pause is measured too, since a process may be held up in it as well.
      longest = Math.max(longest, performance.now() - start - PAUSE_MS);
    }
    return longest;
  }
  const watching = watch();
  return {
    stop() {
      stopped = true;
      return watching;
    },
  };
}
