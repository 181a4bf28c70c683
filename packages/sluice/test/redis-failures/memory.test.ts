/** An outage costs no memory, however many calls it sees. */
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import type { OnFailure } from "../../src/plan/failure-policy.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { KILLED, STOPPED } from "./faults.js";
import { expectNoStrays } from "./strays.js";
import { startTrial } from "./trial.js";

expectNoStrays();

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const CALLS = 20_000;
const AT_ONCE = 500;
const PAUSE_MS = 20;
const MOST_BYTES_PER_CALL = 25;
const MOST_BATCHES = 20;

const CASES = CLIENTS.filter(({ name }) =>
  ["ioredis 5", "node-redis 5", "valkey-glide"].includes(name),
).flatMap((kind) => [STOPPED, KILLED].map((fault) => ({ name: kind.name, kind, fault })));

test.for(CASES)("$name: $fault.name", async ({ kind, fault }, { onTestFinished }) => {
  const trial = await startTrial();
  onTestFinished(trial.stop);
  const { client } = await trial.connect(kind);
  const store = redisStore(client as AnyRedisClient);
  const sluice = createSluice({ store });
  const limiters = (["local", "allow", "deny"] satisfies OnFailure[]).map((onFailure) =>
    sluice.limit("user:10/w", { onFailure }),
  );

  async function call(calls: number): Promise<void> {
    for (let called = 0; called < calls; called += AT_ONCE) {
      const asks = Array.from({ length: AT_ONCE }, (_, number) =>
        limiters[number % limiters.length]!.consume({ user: String(number % 10) }),
      );
      await Promise.all(asks);
      await delay(PAUSE_MS);
    }
  }

  await limiters[0]!.consume({ user: "1" });
  await fault.begin(trial);
  await call(CALLS / 4);
  const before = heapUsed();
  const { batches } = store.health();
  await call(CALLS);
  const grown = heapUsed() - before;
  expect(store.health().waiting).toBe(0);
  expect(store.health().batches - batches).toBeLessThanOrEqual(MOST_BATCHES);
  expect(grown).toBeLessThan(CALLS * MOST_BYTES_PER_CALL);
});

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
