/** Opens the store that a URL names, and closes what it opened. */
import { type Clock, type MemoryStore, memoryStore, type Store } from "sluice";
import { type FailurePolicy, type RedisStore, redisStore, type StoreUnavailable } from "sluice/redis";
import { type Client, connect } from "./redis-client.js";
import { describeStore, parseStoreUrl, type RedisAddress } from "./store-url.js";

export interface StoreSettings extends FailurePolicy {
  /** Of a memory store: how many keys it holds. */
  readonly maxKeys?: number | undefined;
}

export interface OpenOptions extends StoreSettings {
  /** Told of every failure of the connection, in words that hold no password. */
  readonly onError?: (error: Error) => void;
  /** Told whenever the store can be asked, the first time included. */
  readonly onReady?: () => void;
  /** Told of every call that the store did not answer, whatever the policy then answered. */
  readonly onUnavailable?: (error: StoreUnavailable) => void;
  /** Told of every script call, with how many requests it carried. */
  readonly onBatch?: (size: number) => void;
  /** False for a single command, which would rather fail than wait; true when left out. */
  readonly reconnect?: boolean;
}

interface Opened {
  /** For logs and people: without user and password. */
  readonly describe: string;
  /** Resolves when it can be asked; rejects with what the connection said, where that will never be or takes longer. */
  ready(withinMs?: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenedStore =
  | (Opened & { readonly kind: "memory"; readonly store: MemoryStore })
  | (Opened & {
      readonly kind: "redis";
      readonly store: RedisStore;
      /** A second store on the same keys, with a clock of its own. */
      at(clock: Clock): Store;
    });

const CLOSING_MS = 1_000;

/** Throws StoreUrlError at once; whether anybody answers there is seen later. */
export function openStore(url: string, options: OpenOptions = {}): OpenedStore {
  const address = parseStoreUrl(url);
  const describe = describeStore(address);
  if (address.kind !== "memory") return openRedis(address, describe, options);
  const store = memoryStore({ maxKeys: options.maxKeys });
  return { kind: "memory", store, describe, ready: async () => {}, close: async () => store.close() };
}

function openRedis(address: RedisAddress, describe: string, options: OpenOptions): OpenedStore {
  const { onError, onUnavailable, onBatch, reconnect = true } = options;
  let lastError: Error | undefined;
  const client = connect(address, {
    reconnect,
    onError(error) {
      lastError = error;
      onError?.(error);
    },
  });
  if (options.onReady !== undefined) client.on("ready", options.onReady);
  const { deadlineMs, onFailure } = options;
  const policy = { deadlineMs, onFailure, onError: onUnavailable, onBatch };
  const store = redisStore(client, policy);
  return {
    kind: "redis",
    store,
    at: (clock) => redisStore(client, { ...policy, clock }),
    describe,
    ready: (withinMs) => untilReady(client, withinMs, () => lastError ?? new Error("There was no answer.")),
    async close() {
      await store.close();
      await closeClient(client);
    },
  };
}

function untilReady(client: Client, withinMs: number | undefined, failure: () => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    if (client.status === "ready") return resolve();
    if (client.status === "end") return reject(failure());
    const fail = () => reject(failure());
    const patience = withinMs === undefined ? undefined : setTimeout(fail, withinMs);
    client.once("ready", resolve).once("end", fail);
    for (const event of ["ready", "end"]) client.once(event, () => clearTimeout(patience));
  });
}

/** Says goodbye where somebody listens, and does not wait long for an answer. */
async function closeClient(client: Client): Promise<void> {
  if (client.status === "ready") {
    const patience = setTimeout(() => client.disconnect(), CLOSING_MS);
    await client.quit().catch(() => {});
    clearTimeout(patience);
  }
  client.disconnect();
}
