/** What the suites run on: every client reaches every topology it has, and a failover and a migration happen. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, type Servers, type Topology } from "./clients.js";
import { type RedisCluster, startCluster } from "./cluster.js";
import { type RedisServer, startServer } from "./redis-server.js";
import { type SentinelGroup, startSentinelGroup } from "./sentinel.js";
import type { ServerGroup } from "./server-group.js";

const START_LIMIT_MS = 60_000;

/** One test for each client: PING, SET and GET by the library's own method for any command. */
function testClients<T extends Topology>(topology: T, servers: () => Servers[T]): void {
  const clients = CLIENTS.filter(({ topologies }) => topologies.includes(topology));
  test.each(clients)("$name connects, writes and reads", async ({ name, connect }) => {
    const { command, close } = await connect(topology, { [topology]: servers() } as Pick<Servers, T>);
    try {
      expect(await command("PING")).toBe("PONG");
      expect(await command("SET", name, topology)).toBe("OK");
      expect(await command("GET", name)).toBe(topology);
    } finally {
      await close();
    }
  });
}

async function expectNoTraceAfterStop(group: ServerGroup, servers: readonly RedisServer[]): Promise<void> {
  const pids = servers.map(({ pid }) => pid);
  for (const pid of pids) expect(() => process.kill(pid, 0)).not.toThrow();
  await group.stop();
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  for (const { folder } of servers) expect(existsSync(folder)).toBe(false);
}

describe("a single server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startServer();
  }, START_LIMIT_MS);
  afterAll(() => server?.stop());

  testClients("single", () => server);

  test("is gone after stop", () => expectNoTraceAfterStop(server, [server]));
});

describe("Sentinel", () => {
  let group: SentinelGroup;
  beforeAll(async () => {
    group = await startSentinelGroup();
  }, START_LIMIT_MS);
  afterAll(() => group?.stop());

  testClients("sentinel", () => group);

  test("promotes the replica, and a new client reaches it", async () => {
    const { primary, replica } = group;
    await primary.command("SET", "kept", "yes");
    expect(await primary.command("WAIT", "1", "5000")).toBe(1);
    await primary.kill();
    await group.untilPrimaryIs(replica);

    const { command, close } = await CLIENTS[0]!.connect("sentinel", { sentinel: group });
    try {
      expect(await command("GET", "kept")).toBe("yes");
      expect(await command("SET", "after", "yes")).toBe("OK");
      expect(await replica.command("GET", "after")).toBe("yes");
    } finally {
      await close();
    }
  });

  test("is gone after stop", async () => {
    await group.primary.restart();
    await expectNoTraceAfterStop(group, [group.primary, group.replica, ...group.sentinels]);
  });
});

describe("Cluster", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster({ replicas: true });
  }, START_LIMIT_MS);
  afterAll(() => cluster?.stop());

  testClients("cluster", () => cluster);

  test("moves a slot step by step", async () => {
    const slot = Number(await cluster.nodes[0]!.command("CLUSTER", "KEYSLOT", "moved"));
    const from = await cluster.nodeOfSlot(slot);
    const to = cluster.nodes.slice(0, 3).find((node) => node !== from)!;
    await from.command("SET", "moved", "yes");

    await cluster.beginMigration(slot, from, to);
    expect(await from.command("GET", "moved")).toBe("yes");
    await cluster.moveKeys(slot, from, to);
    await expect(from.command("GET", "moved")).rejects.toThrow(`ASK ${slot} 127.0.0.1:${to.port}`);
    await cluster.endMigration(slot, to);

    expect(await cluster.nodeOfSlot(slot)).toBe(to);
    expect(await to.command("GET", "moved")).toBe("yes");
    await expect(from.command("GET", "moved")).rejects.toThrow(`MOVED ${slot} 127.0.0.1:${to.port}`);
    await cluster.migrateSlot(slot, to, from);
    expect(await cluster.nodeOfSlot(slot)).toBe(from);
    expect(await from.command("GET", "moved")).toBe("yes");
  });

  test("is gone after stop", () => expectNoTraceAfterStop(cluster, cluster.nodes));
});
