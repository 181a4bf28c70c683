/** Several servers as one store, on real servers: where identities go, and what holds when one of them is away. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BadOption } from "../../src/errors.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { type RedisStore, type RedisStoreOptions, redisStore } from "../../src/store/redis/redis-store.js";
import { shardedStore } from "../../src/store/sharded/sharded-store.js";
import { splitStore } from "../../src/store/sharded/split-store.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { callAll, DEADLINE_MS, longestMs, TOLERANCE_MS } from "../redis-failures/calls.js";
import { CLIENTS, type ConnectedClient } from "../redis-servers/clients.js";
import { type RedisServer, startServer } from "../redis-servers/redis-server.js";
import { until } from "../redis-servers/until.js";

const SERVERS = 3;
let servers: readonly RedisServer[];
let clients: readonly ConnectedClient[];
beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: SERVERS }, () => startServer()));
  clients = await Promise.all(servers.map((single) => CLIENTS[0]!.connect("single", { single })));
});
afterAll(async () => {
  for (const { close } of clients) await close();
  for (const server of servers) await server.stop();
});

/** Patient, where a test does not say otherwise: what is counted exactly must not be answered by a policy. */
function stores(
  options: RedisStoreOptions = { deadlineMs: 30_000, onFailure: "throw" },
): readonly RedisStore[] {
  return clients.map(({ client }) => redisStore(client as AnyRedisClient, options));
}

function keysOn(server: RedisServer): Promise<number> {
  return server.command("DBSIZE") as Promise<number>;
}

describe("shardedStore", () => {
  test("keeps each identity on one server, and all of them busy", async () => {
    for (const server of servers) await server.command("FLUSHALL");
    const limiter = createSluice({ store: shardedStore(stores()) }).limit("user:5/h or user:9/d");
    await Promise.all(Array.from({ length: 300 }, (_, user) => limiter.consume({ user: `u${user}` })));
    const counts = await Promise.all(servers.map(keysOn));
    expect(counts.reduce((sum, count) => sum + count)).toBe(600);
    for (const count of counts) expect(count).toBeGreaterThan(100);
    for (let time = 1; time < 5; time += 1)
      expect((await limiter.consume({ user: "u7" })).allowed).toBe(true);
    expect((await limiter.consume({ user: "u7" })).allowed).toBe(false);
  });

  test("admits exactly the limit to requests that count by identities on several servers", async () => {
    const sluice = createSluice({ namespace: freshNamespace(), store: shardedStore(stores()) });
    const limiter = sluice.limit("ip:100/d or user:1000/d or 500/d");
    const asked = Array.from({ length: 800 }, (_, number) => ({
      ip: `ip${number % 6}`,
      user: `u${number % 3}`,
    }));
    const decisions = await Promise.all(asked.map((facts) => limiter.consume(facts)));
    const admitted = asked.filter((_, number) => decisions[number]!.allowed);
    expect(admitted.length).toBeLessThanOrEqual(500);
    for (const ip of new Set(asked.map((facts) => facts.ip))) {
      const ofIp = admitted.filter((facts) => facts.ip === ip);
      expect(ofIp.length).toBeLessThanOrEqual(100);
      expect((await sluice.limit("ip:100/d").peek({ ip })).remaining).toBe(100 - ofIp.length);
    }
    expect((await sluice.limit("500/d").peek()).remaining).toBe(500 - admitted.length);
  });

  test("is answered for by the failure policy of a server that is away, and only there", async () => {
    const sluice = createSluice({
      namespace: freshNamespace(),
      store: shardedStore(stores({ deadlineMs: 200 })),
    });
    const limiter = sluice.limit("user:5/h");
    const users = Array.from({ length: 60 }, (_, user) => ({ user: `u${user}` }));
    await servers[1]!.kill();
    const sources = await Promise.all(users.map(async (facts) => (await limiter.consume(facts)).source));
    expect(new Set(sources)).toEqual(new Set(["store", "fallback"]));
    await servers[1]!.restart();
    await until("all answer", async () => {
      const again = await Promise.all(users.map((facts) => limiter.peek(facts)));
      return again.every(({ source }) => source === "store");
    });
  });

  test("a name decides what a server keeps, not its place in a list", async () => {
    const [a, b, c] = stores();
    const namespace = freshNamespace();
    const one = createSluice({ namespace, store: shardedStore({ a: a!, b: b!, c: c! }) }).limit("user:1/h");
    const other = createSluice({ namespace, store: shardedStore({ c: c!, a: a!, b: b! }) }).limit("user:1/h");
    for (let user = 0; user < 30; user += 1) {
      expect((await one.consume({ user: `u${user}` })).allowed).toBe(true);
      expect((await other.consume({ user: `u${user}` })).allowed).toBe(false);
    }
  });

  test.each([[[]], [{}], [undefined], [[memoryStore()]], [{ a: {} }]])("refuses %o", (wrong) => {
    expect(() => shardedStore(wrong as never)).toThrow(BadOption);
    expect(() => splitStore(wrong as never)).toThrow(BadOption);
  });
});

describe("splitStore", () => {
  test.each(["sliding-log", "sliding-window", "fixed-window", "sliding-counter", "gcra", "ar1"])(
    "spreads one limit over all servers, and admits exactly the limit (%s)",
    async (algorithm) => {
      for (const server of servers) await server.command("FLUSHALL");
      const sluice = createSluice({ namespace: freshNamespace(), store: splitStore(stores()) });
      const limiter = sluice.limit(`100/365d ${algorithm}`);
      const decisions = await Promise.all(Array.from({ length: 250 }, () => limiter.consume()));
      expect(decisions.filter(({ allowed }) => allowed).length).toBe(100);
      expect(await Promise.all(servers.map(keysOn))).toEqual([1, 1, 1]);
      expect((await limiter.peek()).allowed).toBe(false);
      await limiter.refund({}, { cost: 2 });
      expect((await limiter.consume({}, { cost: 2 })).allowed).toBe(true);
      expect((await limiter.consume()).allowed).toBe(false);
      await limiter.reset();
      expect((await limiter.consume()).allowed).toBe(true);
    },
  );

  test("a refund finds the server that admitted at the last moment, where refusals count", async () => {
    let now = 1_700_000_000_000_000;
    let asked = 0;
    const room = () => {
      asked += 1;
      return asked > 3 ? now + 60_000_000 : now;
    };
    const store = splitStore(stores({ clock: room, onFailure: "throw", deadlineMs: 30_000 }));
    const limiter = createSluice({ namespace: freshNamespace(), store }).limit("3/s", { countRefused: true });
    for (let time = 0; time < 3; time += 1) expect((await limiter.consume()).allowed).toBe(true);
    now += 1;
    asked = 0;
    const late = await limiter.consume();
    expect(late.allowed).toBe(true);
    await limiter.refund(late);
  });

  test("a limit smaller than the number of servers is still met", async () => {
    const sluice = createSluice({ namespace: freshNamespace(), store: splitStore(stores()) });
    const limiter = sluice.limit("2/h");
    const allowed = [];
    for (let time = 0; time < 5; time += 1) allowed.push((await limiter.consume()).allowed);
    expect(allowed).toEqual([true, true, false, false, false]);
  });

  test("asks the others when a server throws, and throws when all do", async () => {
    const strict = stores({ onFailure: "throw", deadlineMs: 200 });
    const limiter = createSluice({ namespace: freshNamespace(), store: splitStore(strict) }).limit("90/h");
    await servers[0]!.kill();
    for (let time = 0; time < 60; time += 1) expect((await limiter.consume()).allowed).toBe(true);
    expect((await limiter.consume()).allowed).toBe(false);
    await Promise.all([servers[1]!.kill(), servers[2]!.kill()]);
    await until("the clients notice", async () => {
      const outcome = await limiter.consume().catch((error: { code: string }) => error.code);
      return outcome === "SLUICE_STORE_UNAVAILABLE";
    });
    await Promise.all(servers.map((server) => server.restart()));
  });

  test.each(["throw", "deny"] as const)(
    "servers that hang take one deadline together, and not one each: %s",
    async (onFailure) => {
      const store = splitStore(stores({ onFailure }));
      const limiter = createSluice({ namespace: freshNamespace(), store }).limit("90/h");
      await until("the servers are back", async () =>
        limiter.peek().then(
          ({ source }) => source === "store",
          () => false,
        ),
      );
      for (const server of servers) server.pause();
      const calls = await callAll(DEADLINE_MS, [() => limiter.consume(), () => limiter.consume()]);
      for (const server of servers) server.resume();
      expect(longestMs(calls)).toBeLessThanOrEqual(DEADLINE_MS + TOLERANCE_MS);
      for (const { decision, error } of calls) {
        if (onFailure === "throw") expect(error).toMatchObject({ reason: "deadline" });
        else expect(decision).toMatchObject({ allowed: false, policy: "deny" });
      }
    },
  );

  test("a server that hangs is passed over within the deadline", async () => {
    const store = splitStore(stores({ onFailure: "throw" }));
    const limiter = createSluice({ namespace: freshNamespace(), store }).limit("90/h");
    await until("the servers are back", async () =>
      limiter.peek().then(
        () => true,
        () => false,
      ),
    );
    servers[1]!.pause();
    const decisions = await Promise.all(Array.from({ length: 3 }, () => limiter.consume()));
    servers[1]!.resume();
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true]);
  });

  test("counts a refused request once, where refusals count", async () => {
    const store = splitStore(stores());
    const sluice = createSluice({ namespace: freshNamespace(), store });
    const limiter = sluice.limit("3/365d gcra", { countRefused: true });
    await until("the servers are back", async () => (await limiter.peek()).source === "store");
    for (let time = 0; time < 3; time += 1) expect((await limiter.consume()).allowed).toBe(true);
    expect((await limiter.consume()).allowed).toBe(false);
  });
});
