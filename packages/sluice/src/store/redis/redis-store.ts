/** The store on Redis or Valkey: every decision one atomic script call on the server's own clock. */
import type { Clock } from "../../clock.js";
import { BadOption, checkOptions, shown } from "../../errors.js";
import { checkFailurePolicy, type FailurePolicy } from "../../plan/failure-policy.js";
import { Guard } from "../wrap/guard.js";
import { GuardedStore } from "../wrap/guarded-store.js";
import type { StoreUnavailable } from "../wrap/store-unavailable.js";
import { type AnyRedisClient, recognize } from "./recognize.js";
import { RedisCalls, type RedisHealth } from "./redis-calls.js";

/** `deadlineMs` is 250 when left out, and `onFailure` is "local". A limit may have its own. */
export interface RedisStoreOptions extends FailurePolicy {
  /** Called with every failure. What it throws is ignored. */
  readonly onError?: ((error: StoreUnavailable) => void) | undefined;
  /** Called with the number of requests in every script call. What it throws is ignored. */
  readonly onBatch?: ((size: number) => void) | undefined;
  /** How many calls may wait for Redis; beyond that, `onFailure` answers. 10,000 when left out. */
  readonly maxWaiting?: number | undefined;
  /** For tests: whole microseconds since the epoch, instead of Redis's own clock. */
  readonly clock?: Clock | undefined;
}

export interface RedisStore extends GuardedStore {
  /** How things stand, and what has gone wrong so far. */
  health(): RedisHealth;
}

const DEFAULT_DEADLINE_MS = 250;
const DEFAULT_MAX_WAITING = 10_000;

export function redisStore(client: AnyRedisClient, options: RedisStoreOptions = {}): RedisStore {
  checkOptions("redisStore", options, {
    deadlineMs: "number",
    onFailure: "string",
    onError: "function",
    onBatch: "function",
    maxWaiting: "number",
    clock: "function",
  });
  checkFailurePolicy(options);
  const { clock, onError, onBatch, onFailure = "local" } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS, maxWaiting = DEFAULT_MAX_WAITING } = options;
  if (!Number.isSafeInteger(maxWaiting) || maxWaiting < 1) {
    throw new BadOption(`maxWaiting is a whole number of at least 1, and this is ${shown(maxWaiting)}.`);
  }
  const calls = new RedisCalls(recognize(client), { clock, deadlineMs, maxWaiting, onError, onBatch });
  const guard = new Guard({ clock, onFailure, retryAfterMs: () => calls.retryAfterMs });
  return Object.assign(new GuardedStore(calls, guard), { health: () => calls.health() });
}
