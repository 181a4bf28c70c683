/** The one list of stores that every suite runs over. */
import { afterAll, inject } from "vitest";
import type { Clock } from "../src/clock.js";
import { memoryStore } from "../src/store/memory/memory-store.js";
import type { AnyRedisClient } from "../src/store/redis/recognize.js";
import { redisStore } from "../src/store/redis/redis-store.js";
import { shardedStore } from "../src/store/sharded/sharded-store.js";
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
function onRedis(kind: ClientKind, topology: Topology, options?: object) {
  let connection: Promise<ConnectedClient> | undefined;
  return async ({ clock }: { readonly clock: Clock }) => {
    if (connection === undefined) {
      connection = kind.connect(topology, inject("servers"), options);
      connections.push(connection);
    }
    return redisStore((await connection).client as AnyRedisClient, { clock, ...PATIENT });
  };
}

/** The databases of one server know as little of each other as three servers would. */
function onShards(databases: readonly number[]): CreateStore {
  const shards = databases.map((db) => onRedis(CLIENTS[0]!, "single", { db }));
  return async (options) => shardedStore(await Promise.all(shards.map((create) => create(options))));
}

interface RedisStoreUnderTest extends StoreUnderTest {
  /** Whether one plan may be in several places. */
  readonly inParts: boolean;
}

/** Every client library on every topology that it knows, and several servers as one store. */
export const REDIS_STORES: readonly RedisStoreUnderTest[] = [
  ...CLIENTS.flatMap((kind) =>
    kind.topologies.map((topology) => ({
      name: `${kind.name}, ${topology}`,
      inParts: topology === "cluster",
      create: onRedis(kind, topology),
    })),
  ),
  { name: "three shards", inParts: true, create: onShards([1, 2, 3]) },
];

export const STORES: readonly StoreUnderTest[] = [
  { name: "memory", create: memoryStore },
  { name: "memory, 200 keys at most", create: ({ clock }) => memoryStore({ clock, maxKeys: 200 }) },
  ...REDIS_STORES,
];
