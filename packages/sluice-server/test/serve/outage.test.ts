/** Redis is killed or stopped under the server: every call is answered in time, as the policy says, until it is back. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { ANSWERS, expectAnswers } from "./answers.js";
import { type Call, DEADLINE_MS, Load } from "./load.js";
import { type Sluice, startSluice } from "./sluice-process.js";

const OUTAGE_MS = 1_000;
const PAUSE_MS = 50;
const FEWEST_CALLS = 300;

interface Fault {
  readonly name: string;
  /** The calls that were made meanwhile. */
  begin(redis: RedisServer, load: Load): Promise<readonly Call[]>;
  end(redis: RedisServer): Promise<void>;
}

/** Frozen first, so that it has been given calls that it will not answer. */
const KILLED: Fault = {
  name: "kill -9",
  async begin(redis, load) {
    redis.pause();
    const [calls] = await Promise.all([load.round(), redis.kill()]);
    return calls;
  },
  end: (redis) => redis.restart(),
};

const STOPPED: Fault = {
  name: "SIGSTOP",
  begin(redis, load) {
    redis.pause();
    return load.round();
  },
  end: async (redis) => redis.resume(),
};

async function goThrough({ begin, end }: Fault, redis: RedisServer, load: Load) {
  const calls = [...(await begin(redis, load))];
  const over = performance.now() + OUTAGE_MS;
  while (performance.now() < over || calls.length < FEWEST_CALLS) {
    calls.push(...(await load.round()));
    await delay(PAUSE_MS);
  }
  await end(redis);
  await untilByStore(load);
  return calls;
}

async function started(redis: RedisServer, onFailure: string): Promise<Sluice> {
  const store = `{ url: "${redis.url}", deadlineMs: ${DEADLINE_MS}, onFailure: ${onFailure} }`;
  return startSluice({ config: `store: ${store}\nlimits: { each: "user:5/h" }` });
}

describe.each(["local", "allow", "deny", "throw"] as const)("%s", (onFailure) => {
  let redis: RedisServer;
  let server: Sluice;
  let load: Load;
  beforeAll(async () => {
    redis = await startServer();
    server = await started(redis, onFailure);
    load = new Load(server);
    await untilByStore(load);
  });
  afterAll(async () => {
    load[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    await redis.stop();
  });

  test.each([KILLED, STOPPED])("$name", async (fault) => {
    expectAnswers(await goThrough(fault, redis, load), onFailure);
  });
});

/** A millisecond for each key, until told otherwise. */
const SLOW_TO_LOAD = [
  ...["--enable-debug-command", "yes", "--key-load-delay", "1000"],
  ...["--loading-process-events-interval-bytes", "1024"],
];

test("a Redis that comes after the server, and has its keys to load", async () => {
  const redis = await startServer({ args: SLOW_TO_LOAD });
  await redis.command("DEBUG", "POPULATE", "20000");
  await redis.command("SAVE");
  await redis.kill();
  await using server = await started(redis, "local");
  using load = new Load(server);
  const calls = [...(await load.round())];
  const back = redis.restart();
  // After a second Redis says that it will take many more, which must not be waited for.
  await until("the server knows that Redis loads", async () =>
    /name=sluice age=[2-9]/.test(String(await redis.command("CLIENT", "LIST"))),
  );
  calls.push(...(await load.round()));
  expectAnswers(calls, "local");
  await redis.command("CONFIG", "SET", "key-load-delay", "0");
  await back;
  await untilByStore(load);
  await redis.stop();
});

/** Until all calls of a round are answered by the store. */
async function untilByStore(load: Load): Promise<void> {
  await until("the store answers all", async () => {
    const before = await rateLimitsByStore(load.server);
    const calls = await load.round();
    const rateLimits = calls.filter(({ way }) => way === "RATELIMIT");
    const others = calls.filter(({ way }) => way === "http");
    const isBack = others.every(({ answer }) => ANSWERS.store.http.asymmetricMatch(answer));
    return isBack && (await rateLimitsByStore(load.server)) === before + rateLimits.length;
  });
}

async function rateLimitsByStore(server: Sluice): Promise<number> {
  const metrics = await (await server.fetch("/metrics")).text();
  const [, count = 0] =
    /sluice_ratelimit_decisions_total\{outcome="allowed",source="store"\} (\d+)/.exec(metrics) ?? [];
  return Number(count);
}
