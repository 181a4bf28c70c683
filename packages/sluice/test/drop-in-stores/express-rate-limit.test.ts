/** The store under the real express-rate-limit, on Express 4 and 5. */
import express4 from "express-4";
import express5, { type ErrorRequestHandler } from "express-5";
import { type Options, rateLimit } from "express-rate-limit";
import { describe, expect, inject, test } from "vitest";
import { expressRateLimitStore } from "../../src/drop-in/express-rate-limit.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "../redis/connections.js";
import { get, servers, statuses, tally } from "./web.js";

const { serve } = servers();
const redis = connections();
const MINUTE = 60_000;
/** The start of a minute. */
const T = 1_592_171_100_000_000;

describe.each([
  ["Express 4", express4 as unknown as typeof express5],
  ["Express 5", express5],
])("%s", (_, express) => {
  /** Answers with what `?status` asks for. All that the middleware says goes to `said`. */
  async function start(said: unknown[], ...options: Partial<Options>[]): Promise<string> {
    const app = express();
    const log = (...words: unknown[]) => said.push(words[0]);
    for (const each of options) {
      app.use(
        rateLimit({
          standardHeaders: "draft-7",
          keyGenerator: (request) => request.get("client") ?? "somebody",
          logger: { warn: log, error: log },
          ...each,
        }),
      );
    }
    app.get("/", (request, response) => {
      response.sendStatus(Number(request.query["status"] ?? 200));
    });
    app.use(((_error, _request, response, _next) => {
      response.sendStatus(500);
    }) satisfies ErrorRequestHandler);
    return serve(app);
  }

  test("admits the limit, refuses what is beyond, and says so in headers", async () => {
    const said: unknown[] = [];
    const store = expressRateLimitStore({ store: memoryStore({ clock: manualClock(T) }) });
    const url = await start(said, { store, limit: 3, windowMs: MINUTE });

    const first = await get(url);
    expect(first.headers.get("ratelimit")).toBe("limit=3, remaining=2, reset=60");
    expect(await statuses(url, 2)).toEqual([200, 200]);
    const refused = await get(url);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(refused.headers.get("ratelimit")).toBe("limit=3, remaining=0, reset=60");
    expect(await statuses(url, 1, { client: "somebody-else" })).toEqual([200]);
    expect(said).toEqual([]);
  });

  test("the window slides, and refused requests count in it", async () => {
    const said: unknown[] = [];
    const clock = manualClock(T);
    const store = expressRateLimitStore({ store: memoryStore({ clock }) });
    const url = await start(said, { store, limit: 3, windowMs: MINUTE });

    expect(await statuses(url, 2)).toEqual([200, 200]);
    clock.advance(30_000);
    expect(await statuses(url, 3)).toEqual([200, 429, 429]);
    clock.advance(30_000);
    expect(await statuses(url, 1)).toEqual([429]);
    clock.advance(30_000);
    expect(await statuses(url, 3)).toEqual([200, 200, 429]);
    expect(said).toEqual([]);
  });

  test("gives back what the middleware skips", async () => {
    const said: unknown[] = [];
    const failures = await start(said, {
      store: expressRateLimitStore(),
      limit: 2,
      skipSuccessfulRequests: true,
    });
    const successes = await start(said, {
      store: expressRateLimitStore(),
      limit: 2,
      skipFailedRequests: true,
    });

    expect(await statuses(failures, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses(`${failures}/?status=401`, 3)).toEqual([401, 401, 429]);
    expect(await statuses(`${successes}/?status=401`, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(await statuses(successes, 3)).toEqual([200, 200, 429]);
    expect(said).toEqual([]);
  });

  test("several limits on one request count apart in one shared store", async () => {
    const said: unknown[] = [];
    const shared = { store: memoryStore() };
    const url = await start(
      said,
      { store: expressRateLimitStore(shared), limit: 5, windowMs: MINUTE },
      { store: expressRateLimitStore(shared), limit: 3, windowMs: 60 * MINUTE },
      { store: expressRateLimitStore({ ...shared, namespace: "own" }), limit: 4, windowMs: MINUTE },
    );

    expect(await statuses(url, 4)).toEqual([200, 200, 200, 429]);
    expect(said).toEqual([]);
  });

  test("the middleware notices two limits that count in one place", async () => {
    const said: unknown[] = [];
    const shared = { store: memoryStore() };
    const url = await start(
      said,
      { store: expressRateLimitStore(shared), limit: 4 },
      { store: expressRateLimitStore(shared), limit: 4 },
    );

    expect(await statuses(url, 3)).toEqual([200, 200, 429]);
    expect(said).toMatchObject([{ code: "ERR_ERL_DOUBLE_COUNT" }]);
  });

  test("one store for two limits with different windows is refused, at once and at each request", async () => {
    const said: unknown[] = [];
    const store = expressRateLimitStore();
    const url = await start(said, { store, windowMs: MINUTE }, { store, windowMs: 60 * MINUTE });

    expect(await statuses(url, 2)).toEqual([500, 500]);
    expect(said).toMatchObject([{ code: "ERR_ERL_STORE_REUSE" }, { code: "SLUICE_BAD_OPTION" }]);
  });

  test.each([0, -1, Number.NaN, "1m"])("a window of %s never lets anything pass", async (windowMs) => {
    const said: unknown[] = [];
    const url = await start(said, { store: expressRateLimitStore(), windowMs: windowMs as number });

    expect(await statuses(url, 2)).toEqual([500, 500]);
    expect(said).toMatchObject([{ code: "SLUICE_BAD_OPTION" }]);
  });

  test("two servers on one Redis admit exactly the limit", async () => {
    const said: unknown[] = [];
    const store = storeOn(await redis.open("single", inject("servers")));
    const namespace = freshNamespace();
    const options = { limit: 25, windowMs: 60 * MINUTE };
    const urls = [
      await start(said, { store: expressRateLimitStore({ store, namespace }), ...options }),
      await start(said, { store: expressRateLimitStore({ store, namespace }), ...options }),
    ];

    expect(await tally(urls, 80)).toEqual({ 200: 25, 429: 55 });
    expect(said).toEqual([]);
  });
});

test("getKey and resetKey of the middleware", async () => {
  const limiter = rateLimit({ store: expressRateLimitStore(), windowMs: MINUTE });
  const url = await serve(express5().use(limiter));
  await statuses(url, 2);

  expect(await limiter.getKey("127.0.0.1")).toMatchObject({ totalHits: 2, resetTime: expect.any(Date) });
  expect(await limiter.getKey("192.0.2.7")).toBeUndefined();
  await limiter.resetKey("127.0.0.1");
  expect(await limiter.getKey("127.0.0.1")).toBeUndefined();
});
