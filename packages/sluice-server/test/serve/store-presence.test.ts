/** A store that goes and comes is said to, once each time, in the log and to who asks. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { type Sluice, startSluice } from "./sluice-process.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startServer();
});
afterEach(() => redis.resume());
afterAll(() => redis.stop());

test("by kill -9, several times", async () => {
  await using server = await startSluice({ args: ["--store", redis.url] });
  await server.heard("the store answers");
  for (let round = 1; round <= 2; round += 1) {
    await redis.kill();
    await server.heard("the store is away", round);
    await until("it is answered without the store", async () => {
      await server.ask("RATELIMIT", "key", "1000000000", "5000000000");
      return /source="fallback"\} [3-9]/.test(await (await server.fetch("/metrics")).text());
    });
    expect(await storeOf(server)).toBe("away");
    await redis.restart();
    await server.heard("the store answers", round + 1);
    expect(await storeOf(server)).toBe("answers");
  }
  expect(server.logged("the store").map(({ level }) => level)).toEqual([30, 40, 30, 40, 30]);
});

test("by SIGSTOP, with a connection that stays", async () => {
  await using server = await startSluice({ args: ["--store", redis.url] });
  await server.heard("the store answers");
  redis.pause();
  const asked = (async () => {
    while (server.logged("the store").length < 3)
      await server.ask("RATELIMIT", "key", "1000000000", "5000000000");
  })();
  await server.heard("the store is away");
  expect(await storeOf(server)).toBe("away");
  redis.resume();
  await server.heard("the store answers", 2);
  expect(await storeOf(server)).toBe("answers");
  await asked;
  expect(server.logged("the store")).toHaveLength(3);
});

async function storeOf(server: Sluice): Promise<unknown> {
  const { store } = (await (await server.fetch("/readyz")).json()) as { store: unknown };
  return store;
}
