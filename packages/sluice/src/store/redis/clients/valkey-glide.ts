/** Clients of valkey-glide 2, single server and Cluster: connected before we get them, and silent when that is lost. */
import type { RedisClient } from "../client.js";

export interface GlideLike {
  customCommand(args: string[]): Promise<unknown>;
}

export function isGlide(client: object): client is GlideLike {
  return "customCommand" in client && typeof client.customCommand === "function";
}

export function fromGlide(client: GlideLike): RedisClient {
  return {
    send: (_, command, args) => client.customCommand([command, ...args]),
    connection: () => "ready",
    /** Only the client of a Cluster knows of channels by shard. */
    isCluster: "ssubscribe" in client,
  };
}
