/** The storage under the real @nestjs/throttler, on NestJS 11. */
import "reflect-metadata";
import { createRequire } from "node:module";
import type { INestApplication } from "@nestjs/common";
import { Throttle, ThrottlerGuard, ThrottlerModule, type ThrottlerOptions } from "@nestjs/throttler";
import { afterAll, describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { type NestThrottlerStorageOptions, nestThrottlerStorage } from "../../src/drop-in/nest-throttler.js";
import { BadOption } from "../../src/errors.js";
import { RuleError } from "../../src/rule/diagnostic.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "../redis/connections.js";
import { get, statuses, tally } from "./web.js";

/** The NestJS that the throttler finds, since another version is installed here for other tests. */
const here = createRequire(import.meta.url);
const requireNest = createRequire(here.resolve("@nestjs/throttler"));
const { Controller, Get, Module, UseGuards } = requireNest(
  "@nestjs/common",
) as typeof import("@nestjs/common");
const { NestFactory } = requireNest("@nestjs/core") as typeof import("@nestjs/core");

const redis = connections();
const MINUTE = 60_000;
/** The start of a minute. */
const T = 1_592_171_100_000_000;

const apps: INestApplication[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
});

type Storage = ReturnType<typeof nestThrottlerStorage>;

/** Two routes, of which `/strict` has a limit of 1. Decorators are called, since nothing here compiles them. */
async function start(storage: Storage, ...throttlers: ThrottlerOptions[]): Promise<string> {
  class Hello {
    hello(): string {
      return "hello";
    }
    strict(): string {
      return "hello";
    }
  }
  const decorate = (method: "hello" | "strict", ...decorators: MethodDecorator[]) => {
    const descriptor = Object.getOwnPropertyDescriptor(Hello.prototype, method)!;
    for (const decorator of decorators) decorator(Hello.prototype, method, descriptor);
  };
  Controller()(Hello);
  UseGuards(ThrottlerGuard)(Hello);
  decorate("hello", Get("/"));
  decorate("strict", Get("/strict"), Throttle({ default: { limit: 1 } }));
  class App {}
  const getTracker = (request: Record<string, unknown>) =>
    (request["headers"] as Record<string, string>)["client"] ?? "somebody";
  Module({
    imports: [ThrottlerModule.forRoot({ throttlers, storage, getTracker })],
    controllers: [Hello],
  })(App);
  const app = await NestFactory.create(App, {
    logger: false,
    abortOnError: false,
    forceCloseConnections: true,
  });
  apps.push(app);
  await app.listen(0, "127.0.0.1");
  return app.getUrl();
}

/** A storage on a clock that stands still. */
function storageAt(options: NestThrottlerStorageOptions = {}) {
  const clock = manualClock(T);
  return { clock, storage: nestThrottlerStorage({ store: memoryStore({ clock }), ...options }) };
}

test("it is NestJS 11", () => {
  expect(requireNest("@nestjs/core/package.json").version).toMatch(/^11\./);
});

test("admits the limit, and then blocks for as long as the window is", async () => {
  const { clock, storage } = storageAt();
  const url = await start(storage, { limit: 3, ttl: MINUTE });

  const first = await get(url);
  expect(first.headers.get("x-ratelimit-limit")).toBe("3");
  expect(first.headers.get("x-ratelimit-remaining")).toBe("2");
  expect(first.headers.get("x-ratelimit-reset")).toBe("60");
  expect(await statuses(url, 2)).toEqual([200, 200]);
  clock.advance(20_000);
  const refused = await get(url);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await statuses(url, 1, { client: "somebody-else" })).toEqual([200]);
  clock.advance(59_999);
  const last = await get(url);
  expect([last.status, last.headers.get("retry-after")]).toEqual([429, "1"]);
  clock.advance(1);
  expect(await statuses(url, 4)).toEqual([200, 200, 200, 429]);
});

test("a block is as long as it says, from the first refusal, and those that follow do not prolong it", async () => {
  const { clock, storage } = storageAt();
  const url = await start(storage, { limit: 2, ttl: 1_000, blockDuration: 5 * MINUTE });

  expect(await statuses(url, 3)).toEqual([200, 200, 429]);
  for (let minute = 1; minute < 5; minute += 1) {
    clock.advance(MINUTE);
    expect((await get(url)).headers.get("retry-after")).toBe(String((5 - minute) * 60));
  }
  clock.advance(MINUTE);
  expect(await statuses(url, 3)).toEqual([200, 200, 429]);
});

test("a block shorter than the window forgives nothing, and the time to wait is the longer one", async () => {
  const { clock, storage } = storageAt();
  const url = await start(storage, { limit: 2, ttl: MINUTE, blockDuration: 5_000 });
  const wait = async () => (await get(url)).headers.get("retry-after");

  expect(await statuses(url, 2)).toEqual([200, 200]);
  clock.advance(10_000);
  expect([await wait(), await wait()]).toEqual(["50", "50"]);
  clock.advance(49_999);
  expect(await wait()).toBe("5");
  clock.advance(1);
  expect(await wait()).toBe("5");
  clock.advance(4_999);
  expect(await statuses(url, 3)).toEqual([200, 200, 429]);
});

test("without a block, a refused request costs nothing", async () => {
  const { clock, storage } = storageAt();
  const url = await start(storage, { limit: 2, ttl: MINUTE, blockDuration: 0 });

  expect(await statuses(url, 1)).toEqual([200]);
  clock.advance(30_000);
  expect(await statuses(url, 2)).toEqual([200, 429]);
  expect((await get(url)).headers.get("retry-after")).toBe("30");
  clock.advance(30_000);
  expect(await statuses(url, 2)).toEqual([200, 429]);
});

test("routes and throttlers count apart", async () => {
  const { clock, storage } = storageAt();
  const url = await start(
    storage,
    { limit: 4, ttl: 10 * MINUTE, blockDuration: 0 },
    { name: "short", limit: 2, ttl: 1_000, blockDuration: 0 },
  );

  const [first, second] = [await get(url), await get(url)];
  expect(first.headers.get("x-ratelimit-remaining-short")).toBe("1");
  expect(second.headers.get("x-ratelimit-remaining")).toBe("2");
  expect((await get(url)).headers.get("retry-after-short")).toBe("1");
  clock.advance(1_000);
  expect(await statuses(url, 2)).toEqual([200, 200]);
  clock.advance(1_000);
  expect((await get(url)).headers.get("retry-after")).toBe("598");
  expect(await statuses(`${url}/strict`, 2)).toEqual([200, 429]);
});

test.each(ALGORITHM_NAMES)("%s admits exactly the limit", async (algorithm) => {
  const { clock, storage } = storageAt({ algorithm });
  const url = await start(storage, { limit: 5, ttl: MINUTE });
  expect(await tally([url], 20)).toEqual({ 200: 5, 429: 15 });
  clock.advance(20 * MINUTE);
  expect(await tally([url], 20)).toEqual({ 200: 5, 429: 15 });
});

describe("numbers that only functions give", () => {
  const { storage } = storageAt();
  test.each([
    [{ limit: 0, ttl: MINUTE, blockDuration: 0 }, 429, "60"],
    [{ limit: 0, ttl: MINUTE, blockDuration: 2 * MINUTE }, 429, "120"],
    [{ limit: Number.POSITIVE_INFINITY, ttl: MINUTE }, 200, null],
    [{ limit: 1.5, ttl: 0.5, blockDuration: 0 }, 200, null],
    [{ limit: 1, ttl: Number.POSITIVE_INFINITY, blockDuration: 0 }, 200, null],
    [{ limit: 20_000_000, ttl: MINUTE }, 200, null],
  ])("%o", async (throttler, status, retryAfter) => {
    const response = await get(await start(storage, throttler));
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, retryAfter]);
  });
});

test.each([
  [null, BadOption],
  [{ ttl: 5 }, BadOption],
  [{ algorithm: "leaky" }, RuleError],
  [{ precision: -1 }, RuleError],
])("the options %o are refused", (options, error) => {
  expect(() => nestThrottlerStorage(options as NestThrottlerStorageOptions)).toThrow(error);
});

test.each(["sliding-log", "gcra"] as const)(
  "two servers on one Redis admit exactly the limit of %s",
  async (algorithm) => {
    const options = {
      store: storeOn(await redis.open("single", inject("servers"))),
      namespace: freshNamespace(),
      algorithm,
    };
    const ttl = 60 * MINUTE;
    const app = () => start(nestThrottlerStorage(options), { limit: 15, ttl, blockDuration: MINUTE });
    const urls = [await app(), await app()];
    expect(await tally(urls, 50)).toEqual({ 200: 15, 429: 35 });
  },
);

test("who is blocked by one server is blocked by all on the same Redis", async () => {
  const clock = manualClock(T);
  const server = await redis.open("single", inject("servers"));
  const namespace = freshNamespace();
  const app = () =>
    start(nestThrottlerStorage({ store: storeOn(server, { clock }), namespace }), {
      limit: 1,
      ttl: 1_000,
      blockDuration: MINUTE,
    });
  const [one, other] = [await app(), await app()];

  expect(await statuses(one, 2)).toEqual([200, 429]);
  clock.advance(59_999);
  expect(await statuses(other, 1)).toEqual([429]);
  clock.advance(1);
  expect(await statuses(other, 1)).toEqual([200]);
});
