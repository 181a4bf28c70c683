/** A node that does not know the script is sent it once, by every library on every topology, and nothing counts twice. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { slotOf } from "../../src/store/redis/slot.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { CLIENTS, type Servers } from "../redis-servers/clients.js";
import { type RedisCluster, startCluster } from "../redis-servers/cluster.js";
import { type RedisServer, startServer } from "../redis-servers/redis-server.js";
import { type SentinelGroup, startSentinelGroup } from "../redis-servers/sentinel.js";
import { connections, storeOn } from "./connections.js";
import { callsOn, forgetCalls } from "./inspect.js";
import { quietSpan } from "./quiet-span.js";

const { open } = connections();

let single: RedisServer;
let sentinel: SentinelGroup;
let cluster: RedisCluster;
beforeAll(async () => {
  [single, sentinel, cluster] = await Promise.all([startServer(), startSentinelGroup(), startCluster()]);
});
afterAll(async () => {
  await Promise.all([single, sentinel, cluster].map((group) => group?.stop()));
});

/** By topology, all nodes that take writes. */
const NODES = {
  single: () => [single],
  sentinel: () => [sentinel.primary],
  cluster: () => cluster.nodes,
};

/** All on one node, or one on each node of the Cluster. */
const USERS = ["a", "b", "c", "d", "e", "f"];

describe.each(CLIENTS)("$name", (kind) => {
  test.each(kind.topologies)("%s", async (topology) => {
    const nodes = NODES[topology]();
    const servers: Servers = { single, sentinel, cluster };
    const store = storeOn(await open(topology, servers, kind));
    const limiter = createSluice({ namespace: freshNamespace(), store }).limit(`user:1000/${quietSpan()}`);
    const nodeOf = async (user: string) =>
      topology === "cluster" ? cluster.nodeOfSlot(slotOf(`{user:${user}}`)) : nodes[0]!;
    for (const user of USERS) await limiter.consume({ user });

    const flushed = await nodeOf("a");
    await flushed.command("SCRIPT", "FLUSH");
    await Promise.all(nodes.map(forgetCalls));
    const expected = new Map(nodes.map((node) => [node, { evalsha: 0, eval: 0 }]));
    for (const user of [...USERS, ...USERS]) {
      const node = await nodeOf(user);
      const calls = expected.get(node)!;
      if (node === flushed && calls.evalsha === 0) calls.eval = 1;
      calls.evalsha += 1;
      await limiter.consume({ user });
      const { evalsha = 0, eval: whole = 0 } = await callsOn(node);
      expect({ evalsha, eval: whole }).toEqual(calls);
    }
    for (const user of USERS) expect((await limiter.peek({ user })).remaining).toBe(997);
  });

  test.each(kind.topologies)("%s, with several messages under way", async (topology) => {
    const servers: Servers = { single, sentinel, cluster };
    const store = storeOn(await open(topology, servers, kind));
    const limiter = createSluice({ namespace: freshNamespace(), store }).limit(`user:200/${quietSpan()}`);
    await limiter.consume({ user: "a" });
    for (const node of NODES[topology]()) {
      await node.command("SCRIPT", "FLUSH");
      await forgetCalls(node);
    }
    const before = store.health().batches;
    const decisions = await Promise.all(Array.from({ length: 500 }, () => limiter.consume({ user: "a" })));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(199);
    const calls = await Promise.all(NODES[topology]().map(callsOn));
    const sum = (command: string) => calls.reduce((total, { [command]: count = 0 }) => total + count, 0);
    expect(store.health().batches - before).toBe(4);
    expect(sum("evalsha")).toBe(4);
    expect(sum("eval")).toBeGreaterThanOrEqual(1);
    expect(sum("eval")).toBeLessThanOrEqual(4);
  });
});
