/** Measures how long this process's event loop was held up, which delays every timer and is nobody's answer time. */
import { setInterval } from "node:timers";

const TICK_MS = 5;
/** Shorter delays are the coarseness of timers. */
const SHORTEST_STALL_MS = 5;

export interface LoopWatch {
  /** How long nothing could run between two instants of `performance.now()`. */
  heldUpMs(from: number, to: number): number;
  stop(): void;
}

export function watchLoop(): LoopWatch {
  const stalls: { readonly from: number; readonly to: number }[] = [];
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    const from = last + TICK_MS;
    if (now - from >= SHORTEST_STALL_MS) stalls.push({ from, to: now });
    last = now;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    heldUpMs(from, to) {
      look();
      return stalls.reduce(
        (sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)),
        0,
      );
    },
    stop: () => clearInterval(timer),
  };
}
