/** Limits larger than an algorithm can hold, which come with each call: they count, and are no error. */
import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { fastifyRateLimitStore } from "../../src/drop-in/fastify-rate-limit.js";
import { nestThrottlerStorage } from "../../src/drop-in/nest-throttler.js";
import { RuleError } from "../../src/rule/diagnostic.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { DROP_IN_STORES } from "./all-stores.js";

const MINUTE = 60_000;
const LARGE = [10_000_001, 2 ** 31, 1e12, Number.MAX_SAFE_INTEGER, 1e21, Number.MAX_VALUE];

describe.each(DROP_IN_STORES)("$name", ({ open }) => {
  test.each(LARGE)("counts under a limit of %d", async (limit) => {
    const hit = open({}, limit, MINUTE);
    expect([await hit("a"), await hit("a"), await hit("b")]).toEqual([1, 2, 1]);
  });
});

describe.each([undefined, ...ALGORITHM_NAMES])(
  "numbers that come with a call, counted by %s",
  (algorithm) => {
    test.each(LARGE)("@nestjs/throttler: %d", async (limit) => {
      const storage = nestThrottlerStorage({ algorithm, store: memoryStore({ clock: manualClock() }) });
      for (const totalHits of [1, 2]) {
        const record = await storage.increment("a", 365 * 86_400_000, limit, 0, "default");
        expect(record).toMatchObject({ totalHits, isBlocked: false });
      }
    });

    test("a window shorter than the precision", async () => {
      if (algorithm !== "sliding-window" && algorithm !== "ar1") return;
      const storage = nestThrottlerStorage({ algorithm, precision: "1m" });
      expect(await storage.increment("a", 1_000, 1, 0, "default")).toMatchObject({ isBlocked: false });
      expect(await storage.increment("a", 1_000, 1, 0, "default")).toMatchObject({ isBlocked: true });
    });
  },
);

test("@fastify/rate-limit with a function as max answers 200", async () => {
  const app = Fastify();
  await app.register(rateLimit, {
    store: fastifyRateLimitStore(),
    max: () => 20_000_000,
    timeWindow: MINUTE,
  });
  app.get("/", async () => "hello");
  const { statusCode, headers } = await app.inject("/");
  expect([statusCode, headers["x-ratelimit-remaining"]]).toEqual([200, "19999999"]);
  await app.close();
});

test("numbers that are known when a route is defined are refused there, where the algorithm was asked for", () => {
  const route = { max: 20_000_000, timeWindow: MINUTE, routeInfo: { url: "/" } };
  const Log = fastifyRateLimitStore({ algorithm: "sliding-log" });
  expect(() => new Log(route)).toThrow(RuleError);
  const Any = fastifyRateLimitStore();
  expect(() => new Any(route)).not.toThrow();
});
