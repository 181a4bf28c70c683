/** The public API of `sluice`. */
export type { Algorithm, Quota, Verdict } from "./algorithm/algorithm.js";
export { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from "./algorithm/registry.js";
export type { Clock } from "./clock.js";
export type { Decision, LimitStatus } from "./decision/decision.js";
export { explain } from "./decision/explain.js";
export { BadClock, BadCost, BadOption, Closed, SluiceError } from "./errors.js";
export type { DecisionEvent, LimitOptions } from "./limiter/bound-rule.js";
export type { CostOptions, Limiter, WaitOptions } from "./limiter/limiter.js";
export type { Pass } from "./limiter/pass.js";
export { RateLimitExceeded } from "./limiter/rate-limit-exceeded.js";
export type { RuleFunction } from "./limiter/rule-choice.js";
export { createSluice, KeyConflict, type Sluice, type SluiceOptions, UnknownKey } from "./limiter/sluice.js";
export { BadFact, type Fact, type Facts } from "./plan/facts.js";
export {
  admits,
  type Branch,
  type Counter,
  DOES_NOT_APPLY,
  keyOf,
  keysOf,
  type LimitLabel,
  type Plan,
  type Shape,
  type Tree,
} from "./plan/plan.js";
export { MissingSelector, SelectorFailed } from "./plan/selectors.js";
export { RuleError } from "./rule/diagnostic.js";
export { and, or, type RuleInput, toRule } from "./rule/input.js";
export type { RuleObject } from "./rule/object.js";
export { printRule } from "./rule/print.js";
export { type Combination, type Limit, limitsOf, type Rule, selectorsOf } from "./rule/rule.js";
export { type MemoryStore, type MemoryStoreOptions, memoryStore } from "./store/memory/memory-store.js";
export type { Answer, PlanVerdict, PolicyAnswer, Source, Store } from "./store/store.js";
