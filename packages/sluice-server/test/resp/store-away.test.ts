/** Redis is killed under the server: every command is answered in time, as the policy says. */
import { type AnyRedisClient, type OnFailure, redisStore } from "sluice/redis";
import { expect, test } from "vitest";
import { CLIENTS } from "../../../sluice/test/redis-servers/clients.js";
import { startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { RawClient } from "./raw-client.js";
import { serve } from "./serve.js";

const DEADLINE_MS = 300;
/** What a decision by policy may take besides. */
const GRACE_MS = 50;

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
  const waits: number[] = [];
  async function ask(expected: unknown, ...args: readonly string[]): Promise<void> {
    const { result, tookMs } = await timed(() => asker.ask(...args));
    expect(result).toEqual(expected);
    waits.push(tookMs);
  }
  redis.pause();
  await ask(rateLimit, "RATELIMIT", "other", "1000000000", "5000000000");
  await ask(consume, "SLUICE.CONSUME", "all");
  redis.resume();
  await redis.kill();
  for (let round = 0; round < 5; round += 1) {
    await ask(rateLimit, "RATELIMIT", `other${round}`, "1000000000", "5000000000");
  }
  expect(Math.max(...waits)).toBeLessThan(DEADLINE_MS + GRACE_MS);

  await served.close();
  await close();
  await redis.stop();
});

const TICK_MS = 5;
const NOTICED_MS = 20;

/** How long it took, but for the time in which this process, busy or not given a processor, could not even tick. */
async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly tookMs: number }> {
  const start = performance.now();
  let last = start;
  let starvedMs = 0;
  const look = () => {
    const late = performance.now() - last - TICK_MS;
    if (late > NOTICED_MS) starvedMs += late;
    last = performance.now();
  };
  const ticking = setInterval(look, TICK_MS);
  const result = await work();
  clearInterval(ticking);
  look();
  return { result, tookMs: last - start - starvedMs };
}
