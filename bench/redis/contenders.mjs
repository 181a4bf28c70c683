/** The only list of contenders on Redis: each makes, from a client and quotas, something to ask about a key. */
import { ALGORITHMS } from "./workloads.mjs";

/**
 * `consume(key)` is the library's own call and its own promise. `admitted(answer)` reads the answer as a caller
 * has to; `isRefusal(error)` tells a refusal from a failure, where a refusal is thrown; `isFallback(answer)` tells
 * what was answered without Redis, since that is no decision of the kind that is measured. A process loads only
 * the library that it measures.
 */
export const CONTENDERS = [
  {
    name: "rate-limiter-flexible",
    library: "rate-limiter-flexible",
    note: "RateLimiterRedis, a fixed window from a key's first request; RateLimiterUnion where there are three limits.",
    make: flexible,
  },
  {
    name: "sluice",
    library: "sluice",
    note: "gcra, unless the row names another algorithm; three limits are one rule and one decision; the store's defaults, but for a deadline of 10 s in `admission`.",
    make: (client, quotas, options) => sluice(client, quotas, "gcra", options),
  },
  {
    name: "rate-limiter-flexible auto-pipelining",
    library: "rate-limiter-flexible",
    note: "the same with the client's enableAutoPipelining.",
    clientOptions: { enableAutoPipelining: true },
    make: flexible,
  },
  {
    name: "rate-limit-redis",
    library: "rate-limit-redis",
    note: "RedisStore.increment only, a fixed window: the middleware that compares and answers is left out.",
    make: rateLimitRedis,
  },
  {
    name: "redis-gcra",
    library: "redis-gcra",
    note: "gcra on the client's clock.",
    make: redisGcra,
  },
  {
    name: "INCR",
    library: undefined,
    note: "no limiter: one plain command for each decision, without window or expiry.",
    make: async (client, [{ limit }]) => ({
      consume: (key) => client.incr(key),
      admitted: (count) => count <= limit,
      isRefusal: never,
      isFallback: never,
    }),
  },
  ...ALGORITHMS.filter((algorithm) => algorithm !== "gcra").map((algorithm) => ({
    name: `sluice ${algorithm}`,
    library: "sluice",
    make: (client, quotas, options) => sluice(client, quotas, algorithm, options),
  })),
];

export function contenderNamed(name) {
  return CONTENDERS.find((contender) => contender.name === name);
}

export function ruleText(quotas, algorithm) {
  return quotas.map(({ by, limit, seconds }) => `${by}:${limit}/${seconds}s ${algorithm}`).join(" or ");
}

function never() {
  return false;
}

async function sluice(client, quotas, algorithm, options) {
  const { createSluice } = await import("sluice");
  const { redisStore } = await import("sluice/redis");
  const limiter = createSluice({ store: redisStore(client, options) }).limit(ruleText(quotas, algorithm));
  const byAddress = quotas.some(({ by }) => by === "ip");
  return {
    consume: byAddress
      ? (key) => limiter.consume({ user: key, ip: key })
      : (key) => limiter.consume({ user: key }),
    admitted: (decision) => decision.allowed,
    isRefusal: never,
    isFallback: (decision) => decision.source !== "store",
  };
}

async function flexible(client, quotas) {
  const { RateLimiterRedis, RateLimiterUnion, RateLimiterRes } = await import("rate-limiter-flexible");
  const limiters = quotas.map(
    ({ limit, seconds }, index) =>
      new RateLimiterRedis({
        storeClient: client,
        points: limit,
        duration: seconds,
        ...(index > 0 && { keyPrefix: `rlflx${index}` }),
      }),
  );
  const admitted = (answer) => answer !== null;
  if (limiters.length === 1) {
    const [limiter] = limiters;
    return {
      consume: (key) => limiter.consume(key),
      admitted,
      isRefusal: (error) => error instanceof RateLimiterRes,
      isFallback: never,
    };
  }
  const union = new RateLimiterUnion(...limiters);
  return {
    consume: (key) => union.consume(key),
    admitted,
    isRefusal: (errors) =>
      !(errors instanceof Error) && Object.values(errors).every((error) => error instanceof RateLimiterRes),
    isFallback: never,
  };
}

async function rateLimitRedis(client, [{ limit, seconds }]) {
  const { RedisStore } = await import("rate-limit-redis");
  const store = new RedisStore({ sendCommand: (command, ...args) => client.call(command, ...args) });
  await store.init({ windowMs: seconds * 1000 });
  return {
    consume: (key) => store.increment(key),
    admitted: ({ totalHits }) => totalHits <= limit,
    isRefusal: never,
    isFallback: never,
  };
}

async function redisGcra(client, [{ limit, seconds }]) {
  const { default: create } = await import("redis-gcra");
  const limiter = create({ redis: client, burst: limit, rate: limit, period: seconds * 1000 });
  return {
    consume: (key) => limiter.limit({ key }),
    admitted: ({ limited }) => !limited,
    isRefusal: never,
    isFallback: never,
  };
}
