/** A primary and its replica under three Sentinels, which promote the replica when the primary is gone. */
import type { RedisServer } from "./redis-server.js";
import { type ServerGroup, startGroup } from "./server-group.js";
import { until } from "./until.js";

export interface SentinelGroup extends ServerGroup {
  /** What the Sentinels call the primary, whichever server that is. */
  readonly name: string;
  readonly sentinels: readonly RedisServer[];
  /** The first primary and its replica: a failover changes what they do, not these names. */
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Waits until the server takes writes and every Sentinel sends clients to it. */
  untilPrimaryIs(server: RedisServer): Promise<void>;
}

const NAME = "mymaster";
const QUORUM = 2;

export function startSentinelGroup(): Promise<SentinelGroup> {
  return startGroup(async (start) => {
    const primary = await start();
    const replica = await start({ args: ["--replicaof", primary.host, `${primary.port}`] });
    // A Sentinel asks a primary for its replicas when it meets it, and then only every ten seconds.
    await until("the replica has its copy", async () =>
      String(await replica.command("INFO", "replication")).includes("master_link_status:up"),
    );
    const sentinel = { configFile: watching(primary), args: ["--sentinel"] };
    const sentinels = await Promise.all([start(sentinel), start(sentinel), start(sentinel)]);
    await until("the Sentinels know the replica and each other", () => every(sentinels, knowsAll));
    return {
      name: NAME,
      sentinels,
      primary,
      replica,
      untilPrimaryIs: (server) =>
        until(`the server on port ${server.port} is the primary`, async () => {
          const [role] = (await server.command("ROLE")) as unknown[];
          return role === "master" && (await every(sentinels, (sentinel) => sendsTo(sentinel, server)));
        }),
    };
  });
}

function watching({ host, port }: RedisServer): string {
  return [
    `sentinel monitor ${NAME} ${host} ${port} ${QUORUM}`,
    `sentinel down-after-milliseconds ${NAME} 500`,
    `sentinel failover-timeout ${NAME} 2000`,
    "",
  ].join("\n");
}

async function every(
  servers: readonly RedisServer[],
  holds: (server: RedisServer) => Promise<boolean>,
): Promise<boolean> {
  return (await Promise.all(servers.map(holds))).every(Boolean);
}

async function knowsAll(sentinel: RedisServer): Promise<boolean> {
  const replicas = await list(sentinel, "REPLICAS");
  const others = await list(sentinel, "SENTINELS");
  return (
    replicas.length === 1 &&
    replicas.every(({ flags, "master-link-status": link }) => flags === "slave" && link === "ok") &&
    others.length === 2 &&
    others.every(({ flags }) => flags === "sentinel")
  );
}

/** A Sentinel describes each server by a flat list of names and values. */
async function list(sentinel: RedisServer, what: string): Promise<readonly Record<string, string>[]> {
  const servers = (await sentinel.command("SENTINEL", what, NAME)) as string[][];
  return servers.map((fields) =>
    Object.fromEntries(
      fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1]!]] : [])),
    ),
  );
}

async function sendsTo(sentinel: RedisServer, { host, port }: RedisServer): Promise<boolean> {
  const address = await sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
  return String(address) === `${host},${port}`;
}
