/** Sluice as the storage of @nestjs/throttler: a limit that decides by itself, and a block after a refusal. */
import {
  checkedManner,
  countOf,
  type DropInOptions,
  factsOfCall,
  openSluice,
  ruleOfCall,
} from "./call-rules.js";

export type NestThrottlerStorageOptions = DropInOptions;

/** Times in seconds. */
export interface ThrottlerRecord {
  readonly totalHits: number;
  readonly timeToExpire: number;
  readonly isBlocked: boolean;
  readonly timeToBlockExpire: number;
}

/** `ThrottlerStorage`. Durations that are given to it are in milliseconds. */
export interface NestThrottlerStorage {
  increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    throttlerName: string,
  ): Promise<ThrottlerRecord>;
}

export function nestThrottlerStorage(options: NestThrottlerStorageOptions = {}): NestThrottlerStorage {
  const manner = checkedManner("nestThrottlerStorage", options);
  const sluice = openSluice("nest-throttler", options);
  const limiter = sluice.limit(ruleOfCall);
  /** One in a block's duration, exactly: the refusal that began the block. Those that follow do not prolong it. */
  const blocks = sluice.limit(ruleOfCall, { key: "blocked" });

  return {
    async increment(key, ttl, limit, blockDuration, throttlerName) {
      if (limit === Number.POSITIVE_INFINITY) return admitted(0, 0);
      const who = { throttler: throttlerName, key };
      const block = blockDuration > 0 ? factsOfCall(who, 1, blockDuration, "") : undefined;
      let blockedMs = block === undefined ? 0 : (await blocks.peek(block)).resetAfterMs;
      const isBlocked = blockedMs > 0;
      const decision = await limiter[isBlocked ? "peek" : "consume"](factsOfCall(who, limit, ttl, manner));
      const { allowed, remaining, retryAfterMs, resetAfterMs, policy } = decision;
      if (allowed && !isBlocked) return admitted(countOf(limit) - remaining, resetAfterMs);
      /** Who is refused because the store is away has done nothing. */
      const begins = block !== undefined && !isBlocked && policy !== "deny";
      if (begins) blockedMs = (await blocks.consume(block)).resetAfterMs;
      const waitMs = Number.isFinite(retryAfterMs) ? retryAfterMs : ttl;
      return refused(limit, Math.max(waitMs, blockedMs), resetAfterMs);
    },
  };
}

function admitted(totalHits: number, resetAfterMs: number): ThrottlerRecord {
  return { totalHits, timeToExpire: seconds(resetAfterMs), isBlocked: false, timeToBlockExpire: 0 };
}

function refused(limit: number, waitMs: number, resetAfterMs: number): ThrottlerRecord {
  return {
    totalHits: limit + 1,
    timeToExpire: seconds(resetAfterMs),
    isBlocked: true,
    timeToBlockExpire: seconds(waitMs),
  };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
