/** The real things: redis-cli, redis-benchmark, and the client libraries, each in the versions and protocols it has. */
import * as ioredis5 from "ioredis-5";
import * as ioredis6 from "ioredis-6";
import * as redis5 from "redis-5";
import * as redis6 from "redis-6";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClientKind } from "../../../sluice/test/redis-servers/clients.js";
import { ioredisKind } from "../../../sluice/test/redis-servers/ioredis-clients.js";
import { nodeRedisKind } from "../../../sluice/test/redis-servers/node-redis-clients.js";
import { redisBenchmark, redisCli } from "./redis-tools.js";
import { type Served, serve } from "./serve.js";

const TOKEN = "a secret";
const LIMITS = { login: "ip:5/m gcra" };

interface Contender {
  readonly name: string;
  readonly kind: ClientKind;
  readonly options: object;
  /** What the library makes of a decision. */
  readonly decision: unknown;
}

const FIELDS = { allowed: 1, remaining: 4, retry_after_ms: 0, reset_after_ms: 12_000, refused_by: [] };
const AS_ARRAY = Object.values(FIELDS);
const IN_TURN = Object.entries(FIELDS).flat();

const IOREDIS_5 = ioredisKind("ioredis 5", ioredis5);
const IOREDIS_6 = ioredisKind("ioredis 6", ioredis6);
const NODE_REDIS_5 = nodeRedisKind("node-redis 5", redis5);
const NODE_REDIS_6 = nodeRedisKind("node-redis 6", redis6);

const CONTENDERS: readonly Contender[] = [
  { name: "ioredis 5", kind: IOREDIS_5, options: {}, decision: AS_ARRAY },
  { name: "ioredis 6, RESP2", kind: IOREDIS_6, options: { protocol: 2 }, decision: AS_ARRAY },
  { name: "ioredis 6, RESP3", kind: IOREDIS_6, options: { protocol: 3 }, decision: IN_TURN },
  { name: "node-redis 5, RESP2", kind: NODE_REDIS_5, options: { RESP: 2 }, decision: AS_ARRAY },
  { name: "node-redis 5, RESP3", kind: NODE_REDIS_5, options: { RESP: 3 }, decision: FIELDS },
  { name: "node-redis 6, RESP2", kind: NODE_REDIS_6, options: { RESP: 2 }, decision: AS_ARRAY },
  { name: "node-redis 6, RESP3", kind: NODE_REDIS_6, options: { RESP: 3 }, decision: FIELDS },
];

describe.each([
  { door: "open", tokens: [], credentials: {} },
  { door: "with a token", tokens: [TOKEN], credentials: { password: TOKEN } },
])("$door", ({ tokens, credentials }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ tokens, limits: LIMITS });
  });
  afterAll(() => served.close());

  test.each(CONTENDERS)("$name", async ({ name, kind, options, decision }) => {
    const single = { host: "127.0.0.1", port: served.port };
    const client = await kind.connect("single", { single }, { ...options, ...credentials });
    expect(await client.command("PING")).toBe("PONG");
    expect(await client.command("RATELIMIT", name, "1000", "5000", "0")).toEqual([1, 4, 0, 1000]);
    expect(await client.command("RATELIMIT", name, "1000", "5000", "0")).toEqual([1, 3, 0, 2000]);
    expect(await client.command("SLUICE.CONSUME", "login", "ip", name)).toEqual(decision);
    await expect(client.command("RATELIMIT", name, "0", "5000")).rejects.toThrow(
      "ERR the period must be above 0",
    );
    const pipelined = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        client.command("RATELIMIT", `${name}${index % 5}`, "1000", "1000000", "0"),
      ),
    );
    expect(pipelined.map((reply) => (reply as number[])[1])).toEqual(
      Array.from({ length: 500 }, (_, index) => 999 - Math.floor(index / 5)),
    );
    await client.close();
  });
});

test("a wrong password keeps libraries out", async () => {
  const served = await serve({ tokens: [TOKEN] });
  const single = { host: "127.0.0.1", port: served.port };
  const options = { password: "wrong", maxRetriesPerRequest: 0, socket: { reconnectStrategy: false } };
  for (const { kind } of CONTENDERS.filter(({ name }) => name.startsWith("node-redis"))) {
    await expect(kind.connect("single", { single }, options)).rejects.toThrow("WRONGPASS");
  }
  expect(await redisCli(served.port, "PING")).toEqual(["NOAUTH Authentication required."]);
  expect(await redisCli(served.port, "--no-auth-warning", "-a", TOKEN, "PING")).toEqual(["PONG"]);
  await served.close();
});

test("redis-benchmark, with and without a pipeline", async () => {
  const served = await serve();
  for (const pipeline of ["1", "32"]) {
    const output = await redisBenchmark(
      served.port,
      ...["-n", "5000", "-c", "20", "-P", pipeline, "--csv", "RATELIMIT", "key", "1000000", "10000000"],
    );
    expect(output).toMatch(/"RATELIMIT key 1000000 10000000","\d+/);
    expect(output).not.toMatch(/error|warning/i);
  }
  const output = await redisBenchmark(served.port, "-n", "2000", "-q", "-t", "ping");
  expect(output).toMatch(/PING_MBULK: \d+/);
  expect(output).not.toMatch(/error|warning/i);
  await served.close();
});
