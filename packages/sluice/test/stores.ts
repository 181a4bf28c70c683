/** The one list of stores that every suite runs over. */
import { afterAll, inject } from "vitest";
import { memoryStore } from "../src/store/memory/memory-store.js";
import type { AnyRedisClient } from "../src/store/redis/recognize.js";
import { redisStore } from "../src/store/redis/redis-store.js";
import type { CreateStore } from "../src/testing/run-scenario.js";
import { CLIENTS, type ClientKind, type ConnectedClient, type Topology } from "./redis-servers/clients.js";

export interface StoreUnderTest {
  readonly name: string;
  readonly create: CreateStore;
}

/** A store that may be slow on a busy machine, and is never replaced by another that is right. */
const PATIENT = { deadlineMs: 30_000, onFailure: "throw" } as const;

const connections: Promise<ConnectedClient>[] = [];
afterAll(async () => {
  for (const connection of connections) await (await connection).close();
});

/** One connection for all stores of a test file. */
function onRedis(kind: ClientKind, topology: Topology): StoreUnderTest {
  let connection: Promise<ConnectedClient> | undefined;
  return {
    name: `${kind.name}, ${topology}`,
    async create({ clock }) {
      if (connection === undefined) {
        connection = kind.connect(topology, inject("servers"));
        connections.push(connection);
      }
      return redisStore((await connection).client as AnyRedisClient, { clock, ...PATIENT });
    },
  };
}

/** Every client library on every topology that it knows. */
export const REDIS_STORES: readonly StoreUnderTest[] = CLIENTS.flatMap((kind) =>
  kind.topologies.map((topology) => onRedis(kind, topology)),
);

export const STORES: readonly StoreUnderTest[] = [
  { name: "memory", create: memoryStore },
  { name: "memory, 200 keys at most", create: ({ clock }) => memoryStore({ clock, maxKeys: 200 }) },
  ...REDIS_STORES,
];
