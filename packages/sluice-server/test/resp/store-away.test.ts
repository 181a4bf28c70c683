/** Redis is killed under the server: every command is answered in time, as the policy says. */
import { type AnyRedisClient, type OnFailure, redisStore } from "sluice/redis";
import { expect, test } from "vitest";
import { CLIENTS } from "../../../sluice/test/redis-servers/clients.js";
import { startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { watchLag } from "../lag.js";
import { RawClient } from "./raw-client.js";
import { serve } from "./serve.js";

const DEADLINE_MS = 300;
/** A deadline is noticed by a timer that ticks so often, and whose ticks may be late. */
const TICKS_MS = 50;

const AWAY = expect.objectContaining({ message: expect.stringMatching(/^UNAVAILABLE /) });

const REPLIES: Readonly<Record<OnFailure, readonly [rateLimit: unknown, consume: unknown]>> = {
  local: [
    [1, 4, 0, 1_000_000_000],
    [1, 9, 0, 6_000, []],
  ],
  allow: [
    [1, 5, 0, 0],
    [1, 10, 0, 0, []],
  ],
  deny: [
    [0, 0, 1_000_000_000, 5_000_000_000],
    [0, 0, expect.any(Number), expect.any(Number), ["10/m gcra"]],
  ],
  throw: [AWAY, AWAY],
};

test.each(["local", "allow", "deny", "throw"] as const)("%s", async (onFailure) => {
  const redis = await startServer();
  const { client, close } = await CLIENTS[0]!.connect("single", { single: redis });
  const store = redisStore(client as AnyRedisClient, { deadlineMs: DEADLINE_MS, onFailure });
  const served = await serve({ store, limits: { all: "10/m gcra" } });
  using asker = new RawClient(served.port);
  expect(await asker.ask("RATELIMIT", "key", "1000000000", "5000000000")).toEqual([1, 4, 0, 1_000_000_000]);
  expect(await asker.ask("SLUICE.CONSUME", "all")).toEqual([1, 9, 0, 6_000, []]);

  const [rateLimit, consume] = REPLIES[onFailure];
  using other = new RawClient(served.port);
  async function ask(expected: unknown, ...args: readonly string[]): Promise<void> {
    const lag = watchLag(() => other.ask("PING"));
    const start = performance.now();
    const reply = await asker.ask(...args);
    const tookMs = performance.now() - start;
    expect(reply).toEqual(expected);
    // The command comes in, its deadline is noticed, and its reply goes out: each of them late by the lag at most.
    expect(tookMs).toBeLessThan(DEADLINE_MS + TICKS_MS + 3 * (await lag.stop()));
  }
  redis.pause();
  await ask(rateLimit, "RATELIMIT", "other", "1000000000", "5000000000");
  await ask(consume, "SLUICE.CONSUME", "all");
  redis.resume();
  await redis.kill();
  for (let round = 0; round < 5; round += 1) {
    await ask(rateLimit, "RATELIMIT", `other${round}`, "1000000000", "5000000000");
  }

  await served.close();
  await close();
  await redis.stop();
});
