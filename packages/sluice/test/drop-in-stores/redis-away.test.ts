/** While Redis is away, the failure policy of the store answers, in every middleware's own terms. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { expressRateLimitStore } from "../../src/drop-in/express-rate-limit.js";
import { fastifyRateLimitStore } from "../../src/drop-in/fastify-rate-limit.js";
import { nestThrottlerStorage } from "../../src/drop-in/nest-throttler.js";
import type { OnFailure } from "../../src/plan/failure-policy.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import type { PlanVerdict, Store } from "../../src/store/store.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { ANY_CLIENT } from "../redis/connections.js";
import type { ConnectedClient } from "../redis-servers/clients.js";
import { DROP_IN_STORES } from "./all-stores.js";

let gone: ConnectedClient;
beforeAll(async () => {
  gone = await ANY_CLIENT.connect("single", inject("servers"));
  await gone.close();
});
afterAll(() => gone.close());

const HOUR = 3_600_000;

const storeWith = (onFailure: OnFailure) => redisStore(gone.client as AnyRedisClient, { onFailure });

describe.each(DROP_IN_STORES)("$name", ({ open }) => {
  test.each([
    ["local", 2, 2],
    ["allow", 0, 4],
    ["deny", 4, 0],
  ] as const)("%s refuses %i and admits %i of four, with a limit of 2", async (policy, refused, admitted) => {
    const hit = open({ store: storeWith(policy), namespace: freshNamespace() }, 2, HOUR);
    const hits = [await hit("ada"), await hit("ada"), await hit("ada"), await hit("ada")];
    expect(hits.filter((count) => count > 2)).toHaveLength(refused);
    expect(hits.filter((count) => count <= 2)).toHaveLength(admitted);
    expect(hits.every(Number.isSafeInteger)).toBe(true);
  });

  test("throw is an error to the middleware", async () => {
    const hit = open({ store: storeWith("throw") }, 2, HOUR);
    await expect(hit("ada")).rejects.toThrow(StoreUnavailable);
  });
});

test("express-rate-limit is given a count that it takes for one", async () => {
  const store = expressRateLimitStore({ store: storeWith("allow") });
  store.init({ windowMs: HOUR });
  expect(await store.increment("ada")).toMatchObject({ totalHits: 1 });
  expect(await store.get("ada")).toBeUndefined();
  await store.decrement("ada");
  await expect(store.resetKey("ada")).rejects.toThrow(StoreUnavailable);
});

test("a denial tells to come back when Redis is asked again", async () => {
  const storage = nestThrottlerStorage({ store: storeWith("deny") });
  const answer = await storage.increment("ada", HOUR, 2, HOUR, "default");
  expect(answer).toEqual({ totalHits: 3, timeToExpire: 1, isBlocked: true, timeToBlockExpire: 1 });
});

describe("who is denied for want of Redis", () => {
  /** Denies the question that comes after so many, and is there again afterwards. */
  function awayAfter(questions: number): Store {
    const memory = memoryStore();
    const verdict = { allowed: false, remaining: 0, retryAfterMs: 250, resetAfterMs: 250 };
    const denial: PlanVerdict = { allowed: false, verdicts: [verdict], source: "fallback", policy: "deny" };
    let left = questions;
    return {
      decide(plan) {
        left -= 1;
        return left === -1 ? denial : memory.decide(plan);
      },
      peek: (plan) => memory.peek(plan),
      refund: (plan, charged) => memory.refund(plan, charged),
      reset: (plan) => memory.reset(plan),
      close: () => memory.close(),
    };
  }

  test("is not blocked", async () => {
    const storage = nestThrottlerStorage({ store: awayAfter(0) });
    const hit = () => storage.increment("ada", HOUR, 2, HOUR, "default");
    expect(await hit()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    expect(await hit()).toMatchObject({ isBlocked: false, totalHits: 1 });
  });

  test.each([
    [0, [3, 1, 2, 3, 4]],
    [1, [1, 3, 2, 3, 4]],
    [3, [1, 2, 3, 3, 4]],
  ])("after %i questions is no nearer to a ban", async (questions, expected) => {
    const store = new (fastifyRateLimitStore({ store: awayAfter(questions) }))({ ban: 1 });
    const currents: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      store.incr("ada", (_, count) => currents.push(count!.current), HOUR, 2);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(currents).toEqual(expected);
  });
});
