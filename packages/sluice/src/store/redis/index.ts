/** The public API of `sluice/redis`. */
export type { FailurePolicy, OnFailure } from "../../plan/failure-policy.js";
export type { BreakerState } from "../wrap/breaker.js";
export { type FailureReason, StoreUnavailable } from "../wrap/store-unavailable.js";
export type { AnyRedisClient } from "./recognize.js";
export type { RedisHealth } from "./redis-calls.js";
export { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.js";
