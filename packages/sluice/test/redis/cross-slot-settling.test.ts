/** What a plan across slots held and could not use is given back: with time passing, under overload, after failures. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { IoredisLike } from "../../src/store/redis/clients/ioredis.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "./connections.js";
import { ask, keysOf } from "./inspect.js";
import { quietSpan } from "./quiet-span.js";

const { open } = connections();
const span = quietSpan();

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test("who is refused by a limit of his own does not use up the limit of all", async () => {
    const time = manualClock(1_700_000_000_000_000);
    /** Every message is sent 5 ms after the one before. */
    const passing = () => {
      time.advance(5);
      return time();
    };
    const namespace = freshNamespace();
    const store = storeOn(await open("cluster", inject("servers")), { clock: passing });
    const memory = createSluice({ namespace, store: memoryStore({ clock: time }) });
    const redis = createSluice({ namespace, store });
    const [ofAll, ofAllInMemory] = [redis, memory].map((sluice) => sluice.limit(`100/10s ${name}`));
    const eve = redis.limit(`user:0/d or 100/10s ${name}`);
    await ofAll!.consume({}, { cost: 50 });
    await ofAllInMemory!.consume({}, { cost: 50 });

    for (let turn = 1; turn <= 10; turn += 1) {
      const decisions = await Promise.all(Array.from({ length: 20 }, () => eve.consume({ user: "eve" })));
      expect(decisions.some(({ allowed }) => allowed)).toBe(false);
    }
    const { remaining } = await ofAll!.peek();
    const { remaining: expected } = await ofAllInMemory!.peek();
    expect(remaining).toBeLessThanOrEqual(expected);
    expect(remaining).toBeGreaterThanOrEqual(expected - 1);
  });
});

test("under more load than may wait, a refused request still gives back what it held", async () => {
  const client = await open("cluster", inject("servers"));
  const namespace = freshNamespace();
  const busy = createSluice({ namespace, store: storeOn(client, { maxWaiting: 12, onFailure: "deny" }) });
  const limiter = busy.limit(`user:0/${span} or ip:1000/${span} or team:1000/${span}`);
  const facts = { user: "eve", ip: "192.0.2.1", team: "blue" };
  let decisions = 0;
  const caller = async () => {
    while (decisions < 3_000) {
      decisions += 1;
      await limiter.consume(facts);
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: 40 }, caller));

  const calm = createSluice({ namespace, store: storeOn(client) });
  const left = () =>
    Promise.all(
      ["ip", "team"].map(async (by) => (await calm.limit(`${by}:1000/${span}`).peek(facts)).remaining),
    );
  await expect.poll(left, { timeout: 2_000 }).toEqual([1_000, 1_000]);
});

test("a key that cannot be read fails its plan, and the other limits of the plan keep nothing", async () => {
  const { cluster } = inject("servers");
  const client = await open("cluster", { cluster });
  const namespace = freshNamespace();
  const sluice = createSluice({ namespace, store: storeOn(client) });
  const both = sluice.limit(`user:5/${span} gcra or ip:5/${span} gcra`);
  const facts = { user: "ada", ip: "192.0.2.1" };
  await both.consume(facts);
  const [found] = (await keysOf(cluster.nodes, namespace)).filter(({ key }) => key.includes("{ip:"));
  await ask(found!.server, "DEL", found!.key);
  await ask(found!.server, "LPUSH", found!.key, "not ours");
  for (let request = 1; request <= 3; request += 1) {
    await expect(both.consume(facts)).rejects.toThrow("WRONGTYPE");
  }
  const byUser = sluice.limit(`user:5/${span} gcra`);
  await expect.poll(async () => (await byUser.peek(facts)).remaining).toBe(4);
});

test("a refused request that counts all the same is answered by its deadline", async () => {
  const { client } = await open("cluster", inject("servers"));
  let calls = 0;
  /** Answers late, and after hold and charge on two slots no more. */
  const stalling: IoredisLike = {
    status: "ready",
    isCluster: true,
    async call(name, args) {
      calls += 1;
      if (calls > 4) return new Promise(() => {});
      const answer = await (client as IoredisLike).call(name, args);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return answer;
    },
  };
  const store = redisStore(stalling, { deadlineMs: 500, onFailure: "throw" });
  const limiter = createSluice({ namespace: freshNamespace(), store }).limit("user:0/h or ip:5/h", {
    countRefused: true,
  });
  const begin = performance.now();
  await limiter.consume({ user: "ada", ip: "192.0.2.1" });
  expect(performance.now() - begin).toBeLessThan(650);
});
