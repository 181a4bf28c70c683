/** The same store under the real hono-rate-limiter. */
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { type HonoConfigProps, rateLimiter } from "hono-rate-limiter";
import { expect, inject, test } from "vitest";
import { expressRateLimitStore } from "../../src/drop-in/express-rate-limit.js";
import { BadOption } from "../../src/errors.js";
import { RuleError } from "../../src/rule/diagnostic.js";
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

async function start(options: Partial<HonoConfigProps>): Promise<string> {
  const app = new Hono();
  app.use(rateLimiter({ keyGenerator: (context) => context.req.header("client") ?? "somebody", ...options }));
  app.get("/", (context) => context.text("ok", Number(context.req.query("status") ?? 200) as 200));
  return serve(getRequestListener(app.fetch));
}

test("admits the limit, refuses what is beyond, and says so in headers", async () => {
  const clock = manualClock(T);
  const store = expressRateLimitStore({ store: memoryStore({ clock }) });
  const url = await start({ store, limit: 3, windowMs: MINUTE, standardHeaders: "draft-7" });

  expect((await get(url)).headers.get("ratelimit")).toBe("limit=3, remaining=2, reset=60");
  expect(await statuses(url, 2)).toEqual([200, 200]);
  const refused = await get(url);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await statuses(url, 1, { client: "somebody-else" })).toEqual([200]);
  clock.advance(MINUTE);
  expect(await statuses(url, 4)).toEqual([200, 200, 200, 429]);
});

test("gives back what the middleware skips", async () => {
  const failures = await start({ store: expressRateLimitStore(), limit: 2, skipSuccessfulRequests: true });
  const successes = await start({ store: expressRateLimitStore(), limit: 2, skipFailedRequests: true });

  expect(await statuses(failures, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(await statuses(`${failures}/?status=401`, 3)).toEqual([401, 401, 429]);
  expect(await statuses(`${successes}/?status=401`, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(await statuses(successes, 3)).toEqual([200, 200, 429]);
});

test("one store for two limits with different windows is refused where it is defined", async () => {
  const store = expressRateLimitStore();
  await start({ store, windowMs: MINUTE });
  await expect(start({ store, windowMs: 2 * MINUTE })).rejects.toThrow(BadOption);
});

test("so is a precision longer than the window", async () => {
  const store = expressRateLimitStore({ precision: "2m" });
  await expect(start({ store, windowMs: MINUTE })).rejects.toThrow(RuleError);
});

test("two servers on one Redis admit exactly the limit", async () => {
  const store = storeOn(await redis.open("single", inject("servers")));
  const namespace = freshNamespace();
  const options = { limit: 25, windowMs: 60 * MINUTE };
  const urls = [
    await start({ store: expressRateLimitStore({ store, namespace }), ...options }),
    await start({ store: expressRateLimitStore({ store, namespace }), ...options }),
  ];

  expect(await tally(urls, 80)).toEqual({ 200: 25, 429: 55 });
});
