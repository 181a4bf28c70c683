/** The only list of contenders: each makes, for a quota, something that can be asked about a key. */

/**
 * `consume(key)` is the library's own call and its own promise, with nothing around it. `admitted(answer)`
 * reads the answer as a caller has to. `held()` counts the keys that are remembered. Libraries are imported
 * late, so that a process loads only the one it measures.
 */
export const CONTENDERS = [
  ...["gcra", "fixed-window", "sliding-counter", "sliding-window", "sliding-log", "ar1"].map((algorithm) => ({
    name: algorithm,
    library: "sluice",
    limits: 1,
    make: (quota) => sluice([ruleText(quota, algorithm)]),
  })),
  {
    name: "three gcra",
    library: "sluice",
    limits: 3,
    make: (quota) => sluice(threeOf(quota).map((part) => ruleText(part, "gcra"))),
  },
  {
    name: "rate-limiter-flexible",
    library: "rate-limiter-flexible",
    limits: 1,
    note: "RateLimiterMemory: a fixed window per key that starts with the key's first request; a timer for each key.",
    make: async (quota) => (await flexible([quota])).one,
  },
  {
    name: "three rate-limiter-flexible",
    library: "rate-limiter-flexible",
    limits: 3,
    note: "RateLimiterUnion of three: not atomic, a refusal by one limiter has charged the others.",
    make: async (quota) => (await flexible(threeOf(quota))).union,
  },
  {
    name: "express-rate-limit",
    library: "express-rate-limit",
    limits: 1,
    note: "MemoryStore.increment only: the store counts, and the middleware that compares and answers is left out.",
    make: expressStore,
  },
  {
    name: "limiter",
    library: "limiter",
    limits: 1,
    note:
      "It has no keys: one RateLimiter object for each key, in a Map of ours that nothing ever cleans. " +
      "fireImmediately, or a refusal would wait instead of answering.",
    make: limiterPerKey,
  },
  {
    name: "(no limiter)",
    library: undefined,
    limits: 0,
    note: "Limits nothing: the cost of the loop, the key's string and one await, which is part of every other row.",
    make: async () => ({ consume: async (key) => key, admitted: (key) => key !== "", held: () => undefined }),
  },
];

/** What a contender is measured against: rate-limiter-flexible with as many limits. */
export function baselineOf({ limits }) {
  return CONTENDERS.find((other) => other.library === "rate-limiter-flexible" && other.limits === limits);
}

/** Three different limits of the same rate, so that all pass where the first does. */
function threeOf({ limit, seconds }) {
  return [1, 2, 3].map((factor) => ({ limit: limit * factor, seconds: seconds * factor }));
}

function ruleText({ limit, seconds }, algorithm) {
  return `user:${limit}/${seconds}s ${algorithm}`;
}

async function sluice(rules) {
  const { createSluice, memoryStore } = await import("sluice");
  const store = memoryStore();
  const limiter = createSluice({ store }).limit(rules.join(" or "));
  return {
    consume: (key) => limiter.consume({ user: key }),
    admitted: (decision) => decision.allowed,
    held: () => store.size / rules.length,
  };
}

/** A refusal is a rejected promise here, which ends the measurement; whatever resolves was admitted. */
async function flexible(quotas) {
  const { RateLimiterMemory, RateLimiterUnion } = await import("rate-limiter-flexible");
  const limiters = quotas.map(
    ({ limit, seconds }, index) =>
      new RateLimiterMemory({
        points: limit,
        duration: seconds,
        ...(index > 0 && { keyPrefix: `rlflx${index}` }),
      }),
  );
  const shared = {
    admitted: (answer) => answer !== null,
    held: () => limiters[0].dump().storage.length,
  };
  const union = new RateLimiterUnion(...limiters);
  return {
    one: { consume: (key) => limiters[0].consume(key), ...shared },
    union: { consume: (key) => union.consume(key), ...shared },
  };
}

async function expressStore({ limit, seconds }) {
  const { MemoryStore } = await import("express-rate-limit");
  const store = new MemoryStore();
  store.init({ windowMs: seconds * 1000 });
  return {
    consume: (key) => store.increment(key),
    admitted: ({ totalHits }) => totalHits <= limit,
    held: () => store.current.size + store.previous.size,
  };
}

async function limiterPerKey({ limit, seconds }) {
  const { RateLimiter } = await import("limiter");
  const limiters = new Map();
  const limiterOf = (key) => {
    let limiter = limiters.get(key);
    if (limiter === undefined) {
      limiter = new RateLimiter({
        tokensPerInterval: limit,
        interval: seconds * 1000,
        fireImmediately: true,
      });
      limiters.set(key, limiter);
    }
    return limiter;
  };
  return {
    consume: (key) => limiterOf(key).removeTokens(1),
    admitted: (left) => left >= 0,
    held: () => limiters.size,
  };
}
