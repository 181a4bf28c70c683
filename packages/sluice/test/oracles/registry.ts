/** The oracle of each algorithm. */
import type { AlgorithmName } from "../../src/algorithm/registry.js";
import { ar1Oracle } from "./ar1.js";
import { fixedWindowOracle } from "./fixed-window.js";
import { gcraOracle } from "./gcra.js";
import type { CreateOracle } from "./oracle.js";
import { slidingCounterOracle } from "./sliding-counter.js";
import { slidingLogOracle } from "./sliding-log.js";
import { slidingWindowOracle } from "./sliding-window.js";

export const ORACLES: Readonly<Record<AlgorithmName, CreateOracle>> = {
  "sliding-log": slidingLogOracle,
  "sliding-window": slidingWindowOracle,
  "fixed-window": fixedWindowOracle,
  "sliding-counter": slidingCounterOracle,
  gcra: gcraOracle,
  ar1: ar1Oracle,
};
