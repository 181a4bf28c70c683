/** The drop-in stores as one: what each counts for one more hit on a key. */
import type { DropInOptions } from "../../src/drop-in/call-rules.js";
import { expressRateLimitStore } from "../../src/drop-in/express-rate-limit.js";
import { fastifyRateLimitStore } from "../../src/drop-in/fastify-rate-limit.js";
import { nestThrottlerStorage } from "../../src/drop-in/nest-throttler.js";

/** The hits on a key with this one; above the limit when refused. */
export type Hit = (key: string) => Promise<number>;

export interface StoreOfMiddleware {
  readonly name: string;
  readonly open: (
    options: Pick<DropInOptions, "store" | "namespace">,
    limit: number,
    windowMs: number,
  ) => Hit;
}

export const DROP_IN_STORES: readonly StoreOfMiddleware[] = [
  {
    name: "express-rate-limit",
    open(options, _limit, windowMs) {
      const store = expressRateLimitStore(options);
      store.init({ windowMs });
      return async (key) => (await store.increment(key)).totalHits;
    },
  },
  {
    name: "fastify-rate-limit",
    open(options, limit, windowMs) {
      const store = new (fastifyRateLimitStore(options))({ ban: 0 });
      return (key) =>
        new Promise((resolve, reject) => {
          const settle = (error: Error | null, count?: { current: number }) =>
            error === null ? resolve(count!.current) : reject(error);
          store.incr(key, settle, windowMs, limit);
        });
    },
  },
  {
    name: "nest-throttler",
    open(options, limit, windowMs) {
      const storage = nestThrottlerStorage(options);
      return async (key) => (await storage.increment(key, windowMs, limit, windowMs, "default")).totalHits;
    },
  },
];
