/** The public API of `sluice/testing`: for tests of programs that use Sluice, and of stores. */
export type { Scenario, Step } from "../algorithm/scenario.js";
export { type ConformanceCase, storeConformance } from "./conformance.js";
export { type DifferentialOptions, type DifferentialReport, runDifferential } from "./differential.js";
export { type ManualClock, manualClock } from "./manual-clock.js";
export { type CreateStore, runScenario } from "./run-scenario.js";
export { SCENARIOS } from "./scenarios.js";
