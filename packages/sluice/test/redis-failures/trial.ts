/** What a fault is tried on: a server of its own, and stores on it that write down what they report. */
import { createSluice } from "../../src/limiter/sluice.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { type RedisStore, type RedisStoreOptions, redisStore } from "../../src/store/redis/redis-store.js";
import type { FailureReason, StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import type { ClientKind } from "../redis-servers/clients.js";
import { type RedisServer, type ServerOptions, startServer } from "../redis-servers/redis-server.js";
import { type Relay, startRelay } from "./relay.js";

export interface Trial {
  readonly server: RedisServer;
  /** Stands between server and clients, where asked for. */
  readonly relay: Relay;
  /** A store on a new client that is connected. */
  connect(kind: ClientKind, options?: RedisStoreOptions): Promise<WatchedStore>;
  /** Ends the clients, too. */
  stop(): Promise<void>;
}

export interface WatchedStore {
  readonly client: object;
  readonly store: RedisStore;
  /** What `onError` was called with. */
  readonly errors: readonly StoreUnavailable[];
}

export interface TrialOptions {
  readonly server?: ServerOptions;
  readonly relayed?: boolean;
}

/**
 * How soon each library connects again. Left to themselves they wait longer and longer, for more than two seconds, and
 * until then there is nobody to ask.
 */
const prompt = () => ({
  retryStrategy: () => 100,
  maxLoadingRetryTime: 200,
  socket: { reconnectStrategy: () => 100 },
  connectionBackoff: { numberOfRetries: 1, factor: 50, exponentBase: 2 },
});

export async function startTrial({
  server: options = {},
  relayed = false,
}: TrialOptions = {}): Promise<Trial> {
  const server = await startServer(options);
  const relay = await startRelay(server);
  const { password } = options;
  const login = password === undefined ? {} : { password, credentials: { password } };
  const closes: (() => Promise<void>)[] = [];
  return {
    server,
    relay,
    async connect(kind, options) {
      const single = relayed ? relay : server;
      const { client, close } = await kind.connect("single", { single }, { ...prompt(), ...login });
      closes.push(close);
      await firstCall(client);
      return watchedStore(client, options);
    },
    async stop() {
      for (const close of closes) await close();
      await relay.stop();
      await server.stop();
    },
  };
}

/** Patient, since a busy machine needs its time; what follows is then a matter of milliseconds. */
async function firstCall(client: object): Promise<void> {
  const { store } = watchedStore(client, { deadlineMs: 10_000, onFailure: "throw" });
  await createSluice({ store }).limit("1/s").peek();
}

export function watchedStore(client: object, options: RedisStoreOptions = {}): WatchedStore {
  const errors: StoreUnavailable[] = [];
  const onError = (error: StoreUnavailable) => void errors.push(error);
  return { client, store: redisStore(client as AnyRedisClient, { ...options, onError }), errors };
}

/** How often each reason was told. */
export function reasonsOf(errors: readonly StoreUnavailable[]): Partial<Record<FailureReason, number>> {
  const counts: Partial<Record<FailureReason, number>> = {};
  for (const { reason } of errors) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
