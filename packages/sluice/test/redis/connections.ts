/** Connections that a test file opens and that are closed after it, and stores on them that wait for an answer. */
import { afterAll } from "vitest";
import { type AnyRedisClient, type RedisStore, type RedisStoreOptions, redisStore } from "sluice/redis";
import { CLIENTS, type ClientKind, type ConnectedClient, type Servers, type Topology } from "../redis-servers/clients.js";

/** May be slow on a busy machine, and is never replaced by another that is right. */
export const PATIENT = { deadlineMs: 30_000, onFailure: "throw" } as const;

/** Any library, where a test is not about libraries. */
export const ANY_CLIENT: ClientKind = CLIENTS[0]!;

export interface Connections {
  open<T extends Topology>(topology: T, servers: Pick<Servers, T>, kind?: ClientKind): Promise<ConnectedClient>;
}

/** To be called at the top of a test file or of a `describe`. */
export function connections(): Connections {
  const opened: ConnectedClient[] = [];
  afterAll(async () => {
    for (const { close } of opened) await close();
  });
  return {
    async open(topology, servers, kind = ANY_CLIENT) {
      const connected = await kind.connect(topology, servers);
      opened.push(connected);
      return connected;
    },
  };
}

export function storeOn({ client }: ConnectedClient, options: RedisStoreOptions = {}): RedisStore {
  return redisStore(client as AnyRedisClient, { ...PATIENT, ...options });
}
