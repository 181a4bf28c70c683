/** The public API of `sluice/redis`. */
export type { FailurePolicy, OnFailure } from "../../plan/failure-policy.js";
export { type Shards, shardedStore } from "../sharded/sharded-store.js";
export { splitStore } from "../sharded/split-store.js";
export type { BreakerState } from "../wrap/breaker.js";
export type { GuardedStore } from "../wrap/guarded-store.js";
export { type FailureReason, StoreUnavailable } from "../wrap/store-unavailable.js";
export type { AnyRedisClient } from "./recognize.js";
export type { RedisHealth } from "./redis-calls.js";
export { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.js";
