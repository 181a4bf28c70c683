/** The store under the real @fastify/rate-limit. */
import rateLimit, { type RateLimitPluginOptions } from "@fastify/rate-limit";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import {
  type FastifyRateLimitStoreOptions,
  fastifyRateLimitStore,
} from "../../src/drop-in/fastify-rate-limit.js";
import { BadOption } from "../../src/errors.js";
import { RuleError } from "../../src/rule/diagnostic.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "../redis/connections.js";
import { get, statuses, tally } from "./web.js";

const redis = connections();
const MINUTE = 60_000;
/** The start of a minute. */
const T = 1_592_171_100_000_000;

const apps: FastifyInstance[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
});

type Define = (app: FastifyInstance) => void;
const hello: Define = (app) => app.get("/", async () => "hello");

/** Clients tell their name in a header, and are all the same otherwise. */
async function start(options: RateLimitPluginOptions, define: Define = hello): Promise<string> {
  const app = Fastify({ forceCloseConnections: true });
  apps.push(app);
  const keyGenerator: RateLimitPluginOptions["keyGenerator"] = (request) =>
    (request.headers["client"] as string | undefined) ?? "somebody";
  await app.register(rateLimit, { keyGenerator, ...options });
  define(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

/** A store on a clock that stands still. */
function storeAt(options: FastifyRateLimitStoreOptions = {}) {
  const clock = manualClock(T);
  return { clock, store: fastifyRateLimitStore({ store: memoryStore({ clock }), ...options }) };
}

test("admits the limit, refuses what is beyond, and says when to come back", async () => {
  const { clock, store } = storeAt();
  const url = await start({ store, max: 3, timeWindow: MINUTE });

  const first = await get(url);
  expect(first.headers.get("x-ratelimit-remaining")).toBe("2");
  expect(first.headers.get("x-ratelimit-reset")).toBe("60");
  clock.advance(20_000);
  expect(await statuses(url, 2)).toEqual([200, 200]);
  const refused = await get(url);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "40"]);
  expect(await statuses(url, 1, { client: "somebody-else" })).toEqual([200]);
  clock.advance(39_999);
  expect(await statuses(url, 5)).toEqual([429, 429, 429, 429, 429]);
  clock.advance(1);
  expect(await statuses(url, 2)).toEqual([200, 429]);
});

test.each(ALGORITHM_NAMES)("%s admits exactly the limit", async (algorithm) => {
  const { clock, store } = storeAt({ algorithm });
  const url = await start({ store, max: 5, timeWindow: MINUTE });
  expect(await tally([url], 20)).toEqual({ 200: 5, 429: 15 });
  clock.advance(20 * MINUTE);
  expect(await tally([url], 20)).toEqual({ 200: 5, 429: 15 });
});

describe("routes", () => {
  const own = { config: { rateLimit: { max: 2, timeWindow: MINUTE } } };
  const grouped = { config: { rateLimit: { max: 3, timeWindow: MINUTE, groupId: "codes" } } };
  const define: Define = (app) => {
    for (const path of ["/shared-1", "/shared-2"]) app.get(path, async () => "shared");
    for (const path of ["/own-1", "/own-2"]) app.get(path, own, async () => "own");
    for (const path of ["/group-1", "/group-2"]) app.get(path, grouped, async () => "grouped");
    app.get("/free", { config: { rateLimit: false } }, async () => "free");
  };

  test("share the plugin's limit, or have their own, or a group's, or none", async () => {
    const url = await start({ store: fastifyRateLimitStore(), max: 4, timeWindow: MINUTE }, define);
    const found = async (path: string, times: number) => statuses(url + path, times);

    expect(await found("/shared-1", 3)).toEqual([200, 200, 200]);
    expect(await found("/shared-2", 2)).toEqual([200, 429]);
    expect(await found("/own-1", 3)).toEqual([200, 200, 429]);
    expect(await found("/own-2", 3)).toEqual([200, 200, 429]);
    expect(await found("/group-1", 2)).toEqual([200, 200]);
    expect(await found("/group-2", 2)).toEqual([200, 429]);
    expect(await found("/free", 6)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test("a plugin registered twice counts twice, each in its own memory", async () => {
    const store = fastifyRateLimitStore();
    const urls = [
      await start({ store, max: 1, timeWindow: MINUTE }),
      await start({ store, max: 1, timeWindow: MINUTE }),
    ];
    expect(await tally(urls, 4)).toEqual({ 200: 2, 429: 2 });
  });

  test("limits made by fastify.rateLimit() count by their numbers", async () => {
    const url = await start({ store: fastifyRateLimitStore(), global: false }, (app) => {
      app.get("/two", { preHandler: app.rateLimit({ max: 2, timeWindow: MINUTE }) }, async () => "");
      app.get("/one", { preHandler: app.rateLimit({ max: 1, timeWindow: MINUTE }) }, async () => "");
    });
    expect(await statuses(`${url}/two`, 3)).toEqual([200, 200, 429]);
    expect(await statuses(`${url}/one`, 2)).toEqual([200, 429]);
  });
});

test("max and timeWindow may be functions of the request, for one, none or all", async () => {
  const { clock, store } = storeAt();
  const url = await start({
    store,
    max: (_, key) => ({ pro: 3, nobody: 0, broken: Number.NaN, admin: Number.POSITIVE_INFINITY })[key] ?? 1,
    timeWindow: (_, key) => (key === "pro" ? 1_000 : MINUTE),
  });

  expect(await statuses(url, 2, { client: "ada" })).toEqual([200, 429]);
  expect(await statuses(url, 4, { client: "pro" })).toEqual([200, 200, 200, 429]);
  expect(await statuses(url, 9, { client: "admin" })).toEqual(Array(9).fill(200));
  expect(await statuses(url, 1, { client: "broken" })).toEqual([500]);
  const never = await get(url, { client: "nobody" });
  expect([never.status, never.headers.get("retry-after")]).toEqual([429, "60"]);
  clock.advance(1_000);
  expect(await statuses(url, 1, { client: "ada" })).toEqual([429]);
  expect(await statuses(url, 1, { client: "pro" })).toEqual([200]);
});

test("more different limits than are remembered keep their counts", async () => {
  const store = new (fastifyRateLimitStore())();
  const currentOf = (max: number) =>
    new Promise((resolve, reject) => {
      store.incr("ada", (error, count) => (error ? reject(error) : resolve(count?.current)), MINUTE, max);
    });
  for (let max = 1; max <= 1_500; max += 1) expect(await currentOf(max)).toBe(1);
  expect([await currentOf(1), await currentOf(2), await currentOf(1_500)]).toEqual([2, 2, 2]);
});

test("ban counts refusals, and looks as long as the window is", async () => {
  const { clock, store } = storeAt();
  const url = await start({ store, max: 2, timeWindow: MINUTE, ban: 2 });

  expect(await statuses(url, 6)).toEqual([200, 200, 429, 429, 403, 403]);
  clock.advance(MINUTE);
  expect(await statuses(url, 4)).toEqual([200, 200, 429, 429]);
});

test("a ban of 0 is at the first refusal", async () => {
  const url = await start({ store: fastifyRateLimitStore(), max: 1, ban: 0 });
  expect(await statuses(url, 2)).toEqual([200, 403]);
});

test("continueExceeding keeps out who goes on", async () => {
  const { clock, store } = storeAt();
  const url = await start({ store, max: 2, timeWindow: MINUTE, continueExceeding: true });

  expect(await statuses(url, 2)).toEqual([200, 200]);
  for (let time = 0; time < 5; time += 1) {
    clock.advance(30_000);
    expect(await statuses(url, 2)).toEqual([429, 429]);
  }
  clock.advance(MINUTE);
  expect(await statuses(url, 3)).toEqual([200, 200, 429]);
});

test("{ increment: false } looks without counting, and says exceeded when there is no room", async () => {
  const url = await start({ store: fastifyRateLimitStore(), global: false, max: 2, ban: 1 }, (app) => {
    const check = app.createRateLimit();
    app.get("/look", async (request) => check(request, { increment: false }));
    app.get("/count", async (request) => check(request));
  });
  const ask = async (path: string) => (await fetch(url + path)).json();

  expect(await ask("/look")).toMatchObject({ remaining: 2, ttl: 0, isExceeded: false });
  expect(await ask("/count")).toMatchObject({ remaining: 1, isExceeded: false });
  expect(await ask("/look")).toMatchObject({ remaining: 1, isExceeded: false });
  expect(await ask("/count")).toMatchObject({ remaining: 0, isExceeded: false });
  expect(await ask("/look")).toMatchObject({ remaining: 0, isExceeded: true, isBanned: false });
  expect(await ask("/count")).toMatchObject({ isExceeded: true, isBanned: false });
  expect(await ask("/count")).toMatchObject({ isExceeded: true, isBanned: true });
  expect(await ask("/look")).toMatchObject({ isExceeded: true, isBanned: true });
});

describe("a store that fails", () => {
  const failing = () => {
    const store = memoryStore();
    store.close();
    return fastifyRateLimitStore({ store });
  };

  test("answers 500", async () => {
    expect(await statuses(await start({ store: failing() }), 2)).toEqual([500, 500]);
  });

  test("is passed over with skipOnError", async () => {
    expect(await statuses(await start({ store: failing(), skipOnError: true }), 2)).toEqual([200, 200]);
  });
});

describe("what cannot work is said when it is registered", () => {
  const MISTAKES: [
    FastifyRateLimitStoreOptions,
    RateLimitPluginOptions,
    typeof BadOption | typeof RuleError,
  ][] = [
    [{}, { exponentialBackoff: true }, BadOption],
    [{ algorithm: "fixed-window" }, { continueExceeding: true }, BadOption],
    [{ algorithm: "sliding-log" }, { max: 10_000_001 }, RuleError],
    [{ precision: "2m" }, { timeWindow: MINUTE }, RuleError],
  ];
  test.each(MISTAKES)("%o with %o", async (options, plugin, error) => {
    await expect(start({ store: fastifyRateLimitStore(options), ...plugin })).rejects.toThrow(error);
  });

  test("for a route too, and not for a limit that no route has", async () => {
    const store = fastifyRateLimitStore({ precision: "2m" });
    const route = (timeWindow: number): Define => {
      return (app) => app.get("/", { config: { rateLimit: { max: 1, timeWindow } } }, async () => "");
    };
    await expect(start({ store, global: false }, route(MINUTE))).rejects.toThrow(RuleError);
    expect(await statuses(await start({ store, global: false }, route(2 * MINUTE)), 2)).toEqual([200, 429]);
  });

  test.each([
    [null, BadOption],
    [{ cache: 5000 }, BadOption],
    [{ algorithm: "leaky" }, RuleError],
    [{ algorithm: "gcra", precision: "1s" }, RuleError],
  ])("the options %o", (options, error) => {
    expect(() => fastifyRateLimitStore(options as FastifyRateLimitStoreOptions)).toThrow(error);
  });
});

test.each(["sliding-log", "gcra"] as const)(
  "two servers on one Redis admit exactly the limit of %s",
  async (algorithm) => {
    const options = {
      store: storeOn(await redis.open("single", inject("servers"))),
      namespace: freshNamespace(),
      algorithm,
    };
    const timeWindow = 60 * MINUTE;
    const app = () => start({ store: fastifyRateLimitStore(options), max: 15, timeWindow, ban: 10 });
    const urls = [await app(), await app()];
    expect(await tally(urls, 50)).toEqual({ 200: 15, 429: 10, 403: 25 });
  },
);
