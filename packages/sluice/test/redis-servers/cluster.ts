/** A Redis Cluster of three primaries, with a replica for each where a test needs failover. */
import type { RedisServer } from "./redis-server.js";
import { type ServerGroup, startGroup } from "./server-group.js";
import { beginMigration, endMigration, idOf, moveKeys } from "./slot-migration.js";
import { until } from "./until.js";

export interface ClusterOptions {
  readonly replicas?: boolean;
  /** How long a node may be silent before the others call it failed. */
  readonly nodeTimeoutMs?: number;
  /** Further options of every node, as on the command line. */
  readonly args?: readonly string[];
}

export interface RedisCluster extends ServerGroup {
  /** The primaries, then their replicas in the same order, as they were at the start. */
  readonly nodes: readonly RedisServer[];
  /** The primary that the nodes which run agree on. */
  nodeOfSlot(slot: number): Promise<RedisServer>;
  migrateSlot(slot: number, from: RedisServer, to: RedisServer): Promise<void>;
  beginMigration(slot: number, from: RedisServer, to: RedisServer): Promise<void>;
  moveKeys(slot: number, from: RedisServer, to: RedisServer): Promise<void>;
  endMigration(slot: number, to: RedisServer): Promise<void>;
}

const SLOTS = 16_384;
const PRIMARIES = 3;

export function startCluster(options: ClusterOptions = {}): Promise<RedisCluster> {
  const { replicas = false, nodeTimeoutMs = 2_000, args = [] } = options;
  const node = {
    args: ["--cluster-enabled", "yes", "--cluster-node-timeout", `${nodeTimeoutMs}`, ...args],
  };
  return startGroup(async (start) => {
    const count = replicas ? 2 * PRIMARIES : PRIMARIES;
    const nodes = await Promise.all(Array.from({ length: count }, () => start(node)));
    await join(nodes);
    await assignRoles(nodes);
    await until("every node calls the cluster complete", async () =>
      (await Promise.all(nodes.map((node) => isComplete(node, nodes)))).every(Boolean),
    );
    return {
      nodes,
      nodeOfSlot: (slot) => nodeOfSlot(slot, nodes),
      migrateSlot: async (slot, from, to) => {
        await beginMigration(slot, from, to);
        await moveKeys(slot, from, to);
        await endMigration(slot, to, nodes);
      },
      beginMigration,
      moveKeys,
      endMigration: (slot, to) => endMigration(slot, to, nodes),
    };
  });
}

/** Makes every node known to every other one at once: by gossip alone it takes seconds. */
async function join(nodes: readonly RedisServer[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    await node.command("CLUSTER", "SET-CONFIG-EPOCH", `${index + 1}`);
    for (const { host, port } of nodes.slice(0, index))
      await node.command("CLUSTER", "MEET", host, `${port}`);
  }
  await until("the nodes know each other", async () =>
    (await Promise.all(nodes.map(linesOf))).every(
      (lines) => lines.length === nodes.length && lines.every((line) => !/handshake|noaddr/.test(line)),
    ),
  );
}

async function assignRoles(nodes: readonly RedisServer[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    if (index < PRIMARIES) await node.command("CLUSTER", "ADDSLOTS", ...slotsOf(index));
    else await node.command("CLUSTER", "REPLICATE", await idOf(nodes[index - PRIMARIES]!));
  }
}

function slotsOf(primary: number): readonly string[] {
  const first = Math.ceil((primary * SLOTS) / PRIMARIES);
  const end = Math.ceil(((primary + 1) * SLOTS) / PRIMARIES);
  return Array.from({ length: end - first }, (_, index) => `${first + index}`);
}

async function isComplete(node: RedisServer, nodes: readonly RedisServer[]): Promise<boolean> {
  const info = String(await node.command("CLUSTER", "INFO"));
  const replication = String(await node.command("INFO", "replication"));
  const replicas = (await linesOf(node)).filter((line) => line.includes("slave"));
  return (
    info.includes("cluster_state:ok") &&
    info.includes(`cluster_slots_ok:${SLOTS}`) &&
    replicas.length === nodes.length - PRIMARIES &&
    !replication.includes("master_link_status:down")
  );
}

/** One line for each node that this one knows: its id, its address, its flags, … and its slots. */
async function linesOf(node: RedisServer): Promise<readonly string[]> {
  return String(await node.command("CLUSTER", "NODES"))
    .trim()
    .split("\n");
}

async function nodeOfSlot(slot: number, nodes: readonly RedisServer[]): Promise<RedisServer> {
  let owner: RedisServer | undefined;
  await until(`the nodes agree on the owner of slot ${slot}`, async () => {
    const answers = await Promise.allSettled(nodes.map((node) => portOfSlot(slot, node)));
    const ports = new Set(answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : [])));
    owner = ports.size === 1 ? nodes.find(({ port }) => ports.has(port)) : undefined;
    return owner !== undefined;
  });
  return owner!;
}

async function portOfSlot(slot: number, node: RedisServer): Promise<number | undefined> {
  const ranges = (await node.command("CLUSTER", "SLOTS")) as [number, number, [string, number]][];
  return ranges.find(([first, last]) => first <= slot && slot <= last)?.[2][1];
}
