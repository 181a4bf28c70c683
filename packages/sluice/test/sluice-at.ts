/** A Sluice on a memory store whose clock stands still, for tests. */
import { createSluice, type SluiceOptions } from "../src/limiter/sluice.js";
import { memoryStore } from "../src/store/memory/memory-store.js";
import { manualClock } from "../src/testing/manual-clock.js";

export function sluiceAt(startMs: number, options: SluiceOptions = {}) {
  const clock = manualClock(startMs * 1000);
  return { clock, sluice: createSluice({ store: memoryStore({ clock }), ...options }) };
}
