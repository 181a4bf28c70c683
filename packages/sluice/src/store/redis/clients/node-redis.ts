/** Clients of node-redis 5 and 6: single server, Sentinel and Cluster, each with a `sendCommand` of its own. */
import type { Connection, RedisClient } from "../client.js";

interface Openable {
  readonly isOpen: boolean;
  readonly isReady?: boolean;
}

interface Single extends Openable {
  sendCommand(args: string[]): Promise<unknown>;
}

interface Sentinel extends Openable {
  getSentinelNode(): unknown;
  sendCommand(isReadonly: boolean, args: string[]): Promise<unknown>;
}

interface Cluster extends Openable {
  readonly slots: unknown;
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>;
}

export type NodeRedisLike = Single | Sentinel | Cluster;

export function isNodeRedis(client: object): client is NodeRedisLike {
  return "sendCommand" in client && typeof client.sendCommand === "function" && "isOpen" in client;
}

export function fromNodeRedis(client: NodeRedisLike): RedisClient {
  const connection = () => connectionOf(client);
  if ("slots" in client) {
    return {
      send: (key, command, args) => client.sendCommand(key, false, [command, ...args]),
      connection,
      isCluster: true,
    };
  }
  if ("getSentinelNode" in client) {
    return {
      send: (_, command, args) => client.sendCommand(false, [command, ...args]),
      connection,
      isCluster: false,
    };
  }
  return { send: (_, command, args) => client.sendCommand([command, ...args]), connection, isCluster: false };
}

/** A Cluster client only says that it was opened. */
function connectionOf({ isOpen, isReady = isOpen }: Openable): Connection {
  if (!isOpen) return "closed";
  return isReady ? "ready" : "opening";
}
