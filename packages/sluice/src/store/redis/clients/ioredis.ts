/** Clients of ioredis 5 and 6, and iovalkey: single server, Sentinel and Cluster. */
import type { Connection, RedisClient } from "../client.js";
import { writingOnce } from "./write-once.js";

export interface IoredisLike {
  readonly status: string;
  readonly isCluster?: boolean;
  call(command: string, args: string[]): Promise<unknown>;
}

export function isIoredis(client: object): client is IoredisLike {
  return "call" in client && typeof client.call === "function" && "status" in client;
}

const CONNECTIONS: Readonly<Record<string, Connection>> = {
  ready: "ready",
  wait: "opening",
  connecting: "opening",
  connect: "opening",
};

/** iovalkey finds the keys of a command, and so its node, by its name in lower case only. */
const IN_LOWER_CASE = { EVALSHA: "evalsha", EVAL: "eval" } as const;

export function fromIoredis(client: IoredisLike): RedisClient {
  const once = writingOnce(client);
  return {
    send: (_, command, args) => once.call(IN_LOWER_CASE[command], args),
    connection: () => CONNECTIONS[client.status] ?? "closed",
    isCluster: client.isCluster === true,
  };
}
