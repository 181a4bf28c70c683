/** Servers for the tests: on every kind of store, closed when the test or the file that started them ends. */
import { randomUUID } from "node:crypto";
import { memoryStore, type Store } from "sluice";
import { type AnyRedisClient, redisStore } from "sluice/redis";
import { inject } from "vitest";
import { CLIENTS } from "../../../sluice/test/redis-servers/clients.js";
import { createNamedLimits } from "../../src/limits/named-limits.js";
import { listenResp, type RespOptions } from "../../src/resp/listen.js";
import type { StoreAt } from "../../src/resp/ratelimit/decide-at.js";

export interface ServeOptions
  extends Partial<
    Pick<
      RespOptions,
      "maxConnections" | "patience" | "mostHeld" | "onCommand" | "onRateLimit" | "store" | "storeAt"
    >
  > {
  readonly namespace?: string;
  readonly tokens?: readonly string[];
  /** Rules by name. */
  readonly limits?: Readonly<Record<string, string>>;
}

export interface Served {
  readonly port: number;
  readonly namespace: string;
  readonly connections: number;
  /** What was logged as a warning or an error. */
  readonly complaints: readonly object[];
  close(): Promise<void>;
}

export async function serve(options: ServeOptions = {}): Promise<Served> {
  const { namespace = "test", tokens = [], limits = {}, store = memoryStore(), ...others } = options;
  const config = {
    namespace,
    tokens,
    store: { url: "memory" },
    limits: new Map(Object.entries(limits).map(([name, rule]) => [name, { rule }])),
  };
  const complaints: object[] = [];
  const log = {
    info() {},
    warn: (facts: object) => complaints.push(facts),
    error: (facts: object) => complaints.push(facts),
  };
  const server = await listenResp({
    ...others,
    host: "127.0.0.1",
    port: 0,
    namespace,
    store,
    log,
    tokens: () => tokens,
    limits: createNamedLimits(config, { store }),
  });
  return {
    port: server.address.port,
    namespace,
    complaints,
    get connections() {
      return server.connections;
    },
    close: () => server.close(),
  };
}

/** May be slow on a busy machine, and is never replaced by another that is right. */
const PATIENT = { deadlineMs: 30_000, onFailure: "throw" } as const;

export interface RedisBackend {
  readonly store: Store;
  readonly storeAt: StoreAt;
  close(): Promise<void>;
}

export async function connectRedis(topology: "single" | "cluster" = "single"): Promise<RedisBackend> {
  const { client, close } = await CLIENTS[0]!.connect(topology, inject("servers"));
  return {
    store: redisStore(client as AnyRedisClient, PATIENT),
    storeAt: (clock) => redisStore(client as AnyRedisClient, { ...PATIENT, clock }),
    close,
  };
}

async function serveOnRedis(topology: "single" | "cluster", options: ServeOptions = {}): Promise<Served> {
  const { close, ...stores } = await connectRedis(topology);
  const served = await serve({ namespace: randomUUID(), ...stores, ...options });
  const { close: closeServer } = served;
  return Object.assign(served, { close: () => closeServer().then(close) });
}

export interface Backend {
  readonly name: string;
  serve(options?: ServeOptions): Promise<Served>;
}

const MEMORY: Backend = { name: "memory", serve };
const REDIS: Backend = { name: "Redis", serve: (options) => serveOnRedis("single", options) };
const CLUSTER: Backend = { name: "Redis Cluster", serve: (options) => serveOnRedis("cluster", options) };

export const BACKENDS: readonly Backend[] = [MEMORY, REDIS, CLUSTER];

/** Where all that is asked at once is decided at one instant, whatever the keys. */
export const ATOMIC_BACKENDS: readonly Backend[] = [MEMORY, REDIS];
