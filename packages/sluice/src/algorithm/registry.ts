/** The only list of algorithms. */
import type { Algorithm } from "./algorithm.js";
import { ar1 } from "./ar1/ar1.js";
import { fixedWindow } from "./fixed-window/fixed-window.js";
import { gcra } from "./gcra/gcra.js";
import { slidingCounter } from "./sliding-counter/sliding-counter.js";
import { slidingLog } from "./sliding-log/sliding-log.js";
import { slidingWindow } from "./sliding-window/sliding-window.js";

export type AlgorithmName =
  | "sliding-log"
  | "sliding-window"
  | "fixed-window"
  | "sliding-counter"
  | "gcra"
  | "ar1";

export const ALGORITHMS: Readonly<Record<AlgorithmName, Algorithm>> = {
  "sliding-log": slidingLog,
  "sliding-window": slidingWindow,
  "fixed-window": fixedWindow,
  "sliding-counter": slidingCounter,
  gcra,
  ar1,
};

export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as readonly AlgorithmName[];

export function isAlgorithmName(word: string): word is AlgorithmName {
  return Object.hasOwn(ALGORITHMS, word);
}
