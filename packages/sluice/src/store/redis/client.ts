/** The port: as much of a Redis client as Sluice needs. */

export interface RedisClient {
  /** Sends one command to the node that holds `key`. */
  send(key: string, command: ScriptCommand, args: string[]): Promise<unknown>;
  connection(): Connection;
  /** Whether keys live on several nodes, so that one command must keep to one slot. */
  readonly isCluster: boolean;
}

/** By its SHA, or whole. */
export type ScriptCommand = "EVALSHA" | "EVAL";

/** `opening` is a client that has been told to connect, or connects when first used. */
export type Connection = "ready" | "opening" | "closed";
