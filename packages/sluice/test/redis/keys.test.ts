/** What is written to Redis: keys of one form that all expire, in the slots they say, and only by what charges. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { Decision } from "../../src/decision/decision.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { seededRandom } from "../../src/testing/random.js";
import { randomCall, randomRule } from "../../src/testing/random-plans.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { type RedisServer, startServer } from "../redis-servers/redis-server.js";
import { ANY_CLIENT, connections, storeOn } from "./connections.js";
import { ask, keysOf } from "./inspect.js";
import { quietSpan } from "./quiet-span.js";

const FACTS = { user: "ada", ip: "192.0.2.1" };
const span = quietSpan();
const { open } = connections();

let single: RedisServer;
beforeAll(async () => {
  single = await startServer();
  await single.command("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-@write");
});
afterAll(() => single?.stop());

describe.each(["single", "cluster"] as const)("random traffic on %s", (topology) => {
  test.each([1, 2])("leaves no key without an end, and none of another form (seed %i)", async (seed) => {
    const servers = inject("servers");
    const nodes = topology === "single" ? [servers.single] : servers.cluster.nodes;
    const random = seededRandom(seed);
    const namespace = freshNamespace();
    const sluice = createSluice({ namespace, store: storeOn(await open(topology, servers)) });
    const limiters = Array.from({ length: 20 }, () =>
      sluice.limit(randomRule(random), { countRefused: random.chance(0.2) }),
    );
    let seen = 0;
    for (let turn = 1; turn <= 12; turn += 1) {
      const calls = Array.from({ length: 40 }, () => ({
        limiter: random.pick(limiters),
        ...randomCall(random),
      }));
      await Promise.all(calls.map(({ limiter, call, facts, cost }) => limiter[call](facts, { cost })));
      for (const { key, server } of await keysOf(nodes, namespace)) {
        expect(key).toMatch(/^[\w-]+:\{[^{}]*:[^{}]*\}:[^{}]+$/);
        const left = Number(await ask(server, "PTTL", key));
        // The answer for a key that never expires; one that has expired since it was listed gives -2.
        expect(left, key).not.toBe(-1);
        if (left > 0) seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(100);
  });
});

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test.each([
    ["alone", 1],
    ["together with others", 2],
  ])("asked %s, a key lives at least until its limit is as good as unused", async (_, limits) => {
    const namespace = freshNamespace();
    const sluice = createSluice({ namespace, store: storeOn(await open("single", { single })) });
    const asked = [`20/${span} ${name}`, `20/10h ${name}`].slice(0, limits).map((rule) => sluice.limit(rule));
    for (let request = 1; request <= 24; request += 1) {
      await Promise.all(asked.map((limiter) => limiter.consume()));
      const found = await keysOf([single], namespace);
      expect(found).toHaveLength(limits);
      const lives = await Promise.all(
        found.map(async ({ key }) => Number(await single.command("PTTL", key))),
      );
      const needed = await Promise.all(asked.map(async (limiter) => (await limiter.peek()).resetAfterMs));
      expect(Math.min(...lives)).toBeGreaterThanOrEqual(Math.min(...needed));
      expect(Math.max(...lives)).toBeGreaterThanOrEqual(Math.max(...needed));
    }
  });

  test.each(["20/20s", "20/10h"])(
    "of %s, a key is given twice the life it needs, eight times a short one",
    async (quota) => {
      const namespace = freshNamespace();
      const sluice = createSluice({ namespace, store: storeOn(await open("single", { single })) });
      const begun = await timeOn(single);
      const { resetAfterMs } = await sluice.limit(`${quota} ${name}`).consume();
      const lifeMs = (resetAfterMs <= 30_000 ? 8 : 2) * resetAfterMs;
      const [found] = await keysOf([single], namespace);
      const left = Number(await single.command("PTTL", found!.key));
      const passed = (await timeOn(single)) - begun;
      expect(left).toBeLessThanOrEqual(lifeMs);
      expect(left).toBeGreaterThanOrEqual(lifeMs - passed);
    },
  );

  test("a key goes by itself when its limit is as good as unused", async () => {
    const namespace = freshNamespace();
    const sluice = createSluice({ namespace, store: storeOn(await open("single", { single })) });
    await sluice.limit(`4/20ms ${name}`).consume();
    await expect.poll(() => keysOf([single], namespace), { timeout: 5_000 }).toEqual([]);
  });

  test("peek asks for no right to write, and changes nothing", async () => {
    const namespace = freshNamespace();
    const reader = await ANY_CLIENT.connect("single", { single }, { username: "reader", password: "secret" });
    try {
      const limiterOn = (connected: typeof reader) =>
        createSluice({ namespace, store: storeOn(connected) }).limit(
          `user:4/${span} ${name} or ip:9/${span} ${name}`,
        );
      const writer = limiterOn(await open("single", { single }));
      let charged: Decision | undefined;
      for (let request = 1; request <= 5; request += 1) {
        const before = await changesOn(single);
        const { remaining, limits } = await limiterOn(reader).peek(FACTS);
        expect(limits.map((limit) => limit.remaining)).toEqual([5 - request, 10 - request]);
        expect(remaining).toBe(5 - request);
        expect(await changesOn(single)).toBe(before);
        const decision = await writer.consume(FACTS);
        if (decision.allowed) charged = decision;
      }
      await writer.refund(charged);
      expect((await limiterOn(reader).peek(FACTS)).remaining).toBe(1);
      await expect(limiterOn(reader).consume(FACTS)).rejects.toThrow("can't run this command");
    } finally {
      await reader.close();
    }
  });

  test("refund and reset reach all slots of a plan", async () => {
    const { cluster } = inject("servers");
    const namespace = freshNamespace();
    const sluice = createSluice({ namespace, store: storeOn(await open("cluster", { cluster })) });
    const limiter = sluice.limit(`user:9/${span} ${name} or ip:8/${span} ${name} or 7/${span} ${name}`);
    const left = async () => (await limiter.peek(FACTS)).limits.map(({ remaining }) => remaining);
    await limiter.consume(FACTS, { cost: 5 });
    await limiter.refund(FACTS, { cost: 2 });
    expect(await left()).toEqual([6, 5, 4]);
    expect(await keysOf(cluster.nodes, namespace)).toHaveLength(3);
    await limiter.reset(FACTS);
    expect(await keysOf(cluster.nodes, namespace)).toEqual([]);
    expect(await left()).toEqual([9, 8, 7]);
  });
});

/** In whole milliseconds. */
async function timeOn(server: RedisServer): Promise<number> {
  const [seconds, microseconds] = (await server.command("TIME")) as readonly string[];
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

/** How many writes there were in all. */
async function changesOn(server: RedisServer): Promise<number> {
  const [, count] = /rdb_changes_since_last_save:(\d+)/.exec(
    String(await server.command("INFO", "persistence")),
  )!;
  return Number(count);
}
