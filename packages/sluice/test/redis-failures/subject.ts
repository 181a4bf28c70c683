/** What a fault is tried on: a server of its own, one client, and a store on it that writes down what it reports. */
import type { TestContext } from "vitest";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { type RedisStore, type RedisStoreOptions, redisStore } from "../../src/store/redis/redis-store.js";
import type { FailureReason, StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import type { ClientKind } from "../redis-servers/clients.js";
import { type RedisServer, type ServerOptions, startServer } from "../redis-servers/redis-server.js";
import { type Relay, startRelay } from "./relay.js";

export interface Subject {
  readonly server: RedisServer;
  /** Between the client and the server, where asked for. */
  readonly relay: Relay;
  readonly store: RedisStore;
  /** What `onError` was called with. */
  readonly errors: readonly StoreUnavailable[];
}

export interface SubjectOptions {
  readonly server?: ServerOptions | undefined;
  readonly relayed?: boolean | undefined;
  readonly store?: RedisStoreOptions;
}

/** Ends with the test that started it. */
export async function startSubject(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  kind: ClientKind,
  options: SubjectOptions = {},
): Promise<Subject> {
  const server = await startServer(options.server);
  onTestFinished(() => server.stop());
  const relay = await startRelay(server);
  onTestFinished(() => relay.stop());
  const password = options.server?.password;
  const { client, close } = await kind.connect(
    "single",
    { single: options.relayed ? relay : server },
    password === undefined ? {} : { password, credentials: { password } },
  );
  onTestFinished(close);
  return { server, relay, ...storeOn(client, options.store) };
}

export function storeOn(client: object, options: RedisStoreOptions = {}): Pick<Subject, "store" | "errors"> {
  const errors: StoreUnavailable[] = [];
  const onError = (error: StoreUnavailable) => void errors.push(error);
  return { store: redisStore(client as AnyRedisClient, { ...options, onError }), errors };
}

/** How often each reason was told. */
export function reasonsOf(errors: readonly StoreUnavailable[]): Partial<Record<FailureReason, number>> {
  const counts: Partial<Record<FailureReason, number>> = {};
  for (const { reason } of errors) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
