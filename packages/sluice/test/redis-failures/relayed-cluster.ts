/** A Cluster whose nodes name relays as their addresses, so that clients reach them through these alone. */
import { startCluster } from "../redis-servers/cluster.js";
import type { RedisServer } from "../redis-servers/redis-server.js";
import type { ServerGroup } from "../redis-servers/server-group.js";
import { until } from "../redis-servers/until.js";
import { type Relay, startRelay } from "./relay.js";

export interface RelayedCluster extends ServerGroup {
  /** What clients connect to. */
  readonly relays: readonly Relay[];
  /** The node that holds the slot which was asked for, and its relay. */
  readonly node: RedisServer;
  readonly relay: Relay;
}

const BUS_OFFSET = 10_000;

export async function startRelayedCluster(slot: number): Promise<RelayedCluster> {
  const { nodes, nodeOfSlot, stop } = await startCluster();
  const node = await nodeOfSlot(slot);
  const relays = await Promise.all(nodes.map(startRelay));
  for (const [index, node] of nodes.entries()) {
    await node.command("CONFIG", "SET", "cluster-announce-bus-port", `${node.port + BUS_OFFSET}`);
    await node.command("CONFIG", "SET", "cluster-announce-port", `${relays[index]!.port}`);
  }
  await until("every node names all relays", async () => {
    const slots = await Promise.all(nodes.map((node) => node.command("CLUSTER", "SLOTS")));
    return slots.every((named) => relays.every(({ port }) => JSON.stringify(named).includes(`${port}`)));
  });
  return {
    relays,
    node,
    relay: relays[nodes.indexOf(node)]!,
    async stop() {
      await Promise.all(relays.map((relay) => relay.stop()));
      await stop();
    },
  };
}
