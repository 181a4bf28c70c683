/** All timelines of all algorithms, in the order of the registry. */
import { ar1Scenarios } from "../algorithm/ar1/ar1.scenarios.js";
import { fixedWindowScenarios } from "../algorithm/fixed-window/fixed-window.scenarios.js";
import { gcraScenarios } from "../algorithm/gcra/gcra.scenarios.js";
import type { AlgorithmName } from "../algorithm/registry.js";
import type { Scenario } from "../algorithm/scenario.js";
import { slidingCounterScenarios } from "../algorithm/sliding-counter/sliding-counter.scenarios.js";
import { slidingLogScenarios } from "../algorithm/sliding-log/sliding-log.scenarios.js";
import { slidingWindowScenarios } from "../algorithm/sliding-window/sliding-window.scenarios.js";

export const SCENARIOS: Readonly<Record<AlgorithmName, readonly Scenario[]>> = {
  "sliding-log": slidingLogScenarios,
  "sliding-window": slidingWindowScenarios,
  "fixed-window": fixedWindowScenarios,
  "sliding-counter": slidingCounterScenarios,
  gcra: gcraScenarios,
  ar1: ar1Scenarios,
};
