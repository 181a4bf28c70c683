/** Connections that a test file opens and that are closed after it, and stores on them that wait for an answer. */
import { afterAll } from "vitest";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { type RedisStore, type RedisStoreOptions, redisStore } from "../../src/store/redis/redis-store.js";
import {
  CLIENTS,
  type ClientKind,
  type ConnectedClient,
  type Servers,
  type Topology,
} from "../redis-servers/clients.js";

/** May be slow on a busy machine, and is never replaced by another that is right. */
export const PATIENT = { deadlineMs: 30_000, onFailure: "throw" } as const;

/** Any library, where a test is not about libraries. */
export const ANY_CLIENT: ClientKind = CLIENTS[0]!;

export interface Connections {
  /** One connection for each library and group of servers. */
  open<T extends Topology>(
    topology: T,
    servers: Pick<Servers, T>,
    kind?: ClientKind,
  ): Promise<ConnectedClient>;
}

/** To be called at the top of a test file or of a `describe`. */
export function connections(): Connections {
  const opened = new WeakMap<object, Map<ClientKind, Promise<ConnectedClient>>>();
  const all: Promise<ConnectedClient>[] = [];
  afterAll(async () => {
    for (const connected of await Promise.allSettled(all)) {
      if (connected.status === "fulfilled") await connected.value.close();
    }
  });
  return {
    open(topology, servers, kind = ANY_CLIENT) {
      const known = opened.get(servers[topology]) ?? new Map<ClientKind, Promise<ConnectedClient>>();
      opened.set(servers[topology], known);
      let connected = known.get(kind);
      if (connected === undefined) {
        connected = kind.connect(topology, servers);
        known.set(kind, connected);
        all.push(connected);
      }
      return connected;
    },
  };
}

export function storeOn({ client }: ConnectedClient, options: RedisStoreOptions = {}): RedisStore {
  return redisStore(client as AnyRedisClient, { ...PATIENT, ...options });
}
