/** The store of express-rate-limit by itself: what it counts, at exact instants, and what it refuses to be. */
import { describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import {
  type ExpressRateLimitStoreOptions,
  expressRateLimitStore,
} from "../../src/drop-in/express-rate-limit.js";
import { BadOption, Closed } from "../../src/errors.js";
import { RuleError } from "../../src/rule/diagnostic.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "../redis/connections.js";

const redis = connections();
const MINUTE = 60_000;
/** The start of a minute. */
const T = 1_592_171_100_000_000;

function storeAt(options: ExpressRateLimitStoreOptions = {}) {
  const clock = manualClock(T);
  const store = expressRateLimitStore({ store: memoryStore({ clock }), ...options });
  store.init({ windowMs: MINUTE });
  return { clock, store };
}

/** Hits one second after another from second 0 on; then what is counted at each of these seconds. */
const COUNTED = [
  { options: {}, hits: 50, at: { 50: 50, 60: 49, 80: 29, 108: 1, 109: 0 } },
  { options: { precision: "30s" }, hits: 50, at: { 59: 50, 60: 20, 89: 20, 90: 0 } },
  { options: { precision: 30_000 }, hits: 50, at: { 59: 50, 60: 20, 89: 20, 90: 0 } },
  { options: { algorithm: "fixed-window" }, hits: 70, at: { 70: 10, 119: 10, 120: 0 } },
  { options: { algorithm: "sliding-counter" }, hits: 60, at: { 60: 60, 90: 30, 119: 1, 120: 0 } },
] as const;

test.each(COUNTED)("counts hits: $options", async ({ options, hits, at }) => {
  const { clock, store } = storeAt(options);
  for (let hit = 0; hit < hits; hit += 1) {
    clock.set(T + hit * 1_000_000);
    await store.increment("ada");
  }
  const counted: Record<string, number> = {};
  for (const second of Object.keys(at)) {
    clock.set(T + Number(second) * 1_000_000);
    counted[second] = (await store.get("ada"))?.totalHits ?? 0;
  }
  expect(counted).toEqual(at);
});

test("the reset is a duration of the store's clock, as a Date of this process", async () => {
  const { clock, store } = storeAt({ precision: "1s" });
  clock.advance(900);
  const before = Date.now();
  const { resetTime } = await store.increment("ada");
  expect(resetTime.getTime() - before).toBeGreaterThanOrEqual(59_100);
  expect(resetTime.getTime() - Date.now()).toBeLessThanOrEqual(59_100);
});

test("a decrement gives back one hit, and never more than there were", async () => {
  const { store } = storeAt();
  await store.increment("ada");
  await store.increment("ada");
  await store.decrement("ada");
  expect(await store.get("ada")).toMatchObject({ totalHits: 1 });
  for (let time = 0; time < 3; time += 1) await store.decrement("ada");
  expect(await store.get("ada")).toBeUndefined();
  expect(await store.increment("ada")).toMatchObject({ totalHits: 1 });
});

test.each(["sliding-window", "fixed-window", "sliding-counter"] as const)(
  "%s takes no more memory however long somebody hammers",
  async (algorithm) => {
    const clock = manualClock(T);
    const server = await redis.open("single", inject("servers"));
    const namespace = freshNamespace();
    const { store } = storeAt({ algorithm, store: storeOn(server, { clock }), namespace });
    let totalHits = 0;
    for (let second = 0; second < 119; second += 1) {
      clock.set(T + second * 1_000_000);
      const hits = await Promise.all(Array.from({ length: 100 }, () => store.increment("ada")));
      totalHits = Math.max(...hits.map((hit) => hit.totalHits));
    }
    expect(totalHits).toBeGreaterThanOrEqual(5_900);
    const keys = (await server.command("KEYS", `${namespace}:*`)) as string[];
    expect(keys).toHaveLength(1);
    expect(Number(await server.command("MEMORY", "USAGE", keys[0]!))).toBeLessThan(3_000);
  },
);

describe("what it refuses", () => {
  const others = ALGORITHM_NAMES.filter((name) => ["sliding-log", "gcra", "ar1"].includes(name));
  test.each(others)("%s, which does not count all hits", (algorithm) => {
    expect(others).toHaveLength(3);
    const options = { algorithm } as unknown as ExpressRateLimitStoreOptions;
    expect(() => expressRateLimitStore(options)).toThrow(BadOption);
    expect(() => expressRateLimitStore(options)).toThrow(`${algorithm} cannot`);
  });

  test.each([
    [null, BadOption],
    [{ prefix: "rl:" }, BadOption],
    [{ store: {} }, BadOption],
    [{ store: "redis" }, BadOption],
    [{ namespace: "" }, BadOption],
    [{ algorithm: "sliding-windo" }, RuleError],
    [{ precision: 0 }, RuleError],
    [{ precision: "soon" }, RuleError],
    [{ precision: {} }, BadOption],
    [{ algorithm: "fixed-window", precision: "1s" }, RuleError],
  ])("the options %o", (options, error) => {
    expect(() => expressRateLimitStore(options as ExpressRateLimitStoreOptions)).toThrow(error);
  });

  test("hits before it knows its window", async () => {
    const store = expressRateLimitStore();
    await expect(store.increment("ada")).rejects.toThrow(BadOption);
  });

  test("a second window, for good", async () => {
    const { store } = storeAt();
    store.init({ windowMs: MINUTE });
    expect(await store.increment("ada")).toMatchObject({ totalHits: 1 });
    expect(() => store.init({ windowMs: 2 * MINUTE })).toThrow(BadOption);
    expect(() => store.init({ windowMs: MINUTE })).toThrow(BadOption);
    await expect(store.increment("ada")).rejects.toThrow("Create one for each limiter");
  });
});

test("what other stores can count too is not local, and is told apart by namespace and window", () => {
  expect(expressRateLimitStore()).toMatchObject({ localKeys: true });
  expect(expressRateLimitStore({ store: memoryStore() })).toMatchObject({ localKeys: false });
  const store = expressRateLimitStore({ namespace: "login" });
  store.init({ windowMs: MINUTE });
  expect(store.prefix).toBe("login:60000:");
});

test("shutdown closes its own memory, and never a store that it was given", async () => {
  const own = expressRateLimitStore();
  own.init({ windowMs: MINUTE });
  await own.shutdown();
  await expect(own.increment("ada")).rejects.toThrow(Closed);
  const { store } = storeAt();
  await store.shutdown();
  expect(await store.increment("ada")).toMatchObject({ totalHits: 1 });
});

test("there is no resetAll that would only pretend", () => {
  expect("resetAll" in expressRateLimitStore()).toBe(false);
});
