/** HTTP servers for the tests, on memory and on Redis, and what they were asked and said. */
import { randomUUID } from "node:crypto";
import { memoryStore, type Store } from "sluice";
import type { RedisStore } from "sluice/redis";
import { inject } from "vitest";
import type { LimitConfig } from "../../src/config/config.js";
import { type HttpOptions, listenHttp } from "../../src/http/http-server.js";
import { createNamedLimits } from "../../src/limits/named-limits.js";
import { type OpenOptions, openStore } from "../../src/store/open-store.js";
import { type Ask, askAt } from "./ask.js";

export interface ServeOptions extends Partial<Omit<HttpOptions, "limits">> {
  readonly namespace?: string;
  readonly store?: Store;
  /** By name: a rule, or all that a configuration may say. */
  readonly limits?: Readonly<Record<string, string | LimitConfig>>;
}

export interface Served {
  readonly port: number;
  readonly ask: Ask;
  /** What was logged. */
  readonly logged: readonly object[];
  close(): Promise<void>;
}

export async function serve(options: ServeOptions = {}): Promise<Served> {
  const { namespace = "test", limits = {}, store = memoryStore(), ...others } = options;
  const config = {
    namespace,
    tokens: [],
    store: { url: "memory" },
    limits: new Map(
      Object.entries(limits).map(([name, limit]) => [
        name,
        typeof limit === "string" ? { rule: limit } : limit,
      ]),
    ),
  };
  const logged: object[] = [];
  const say = (facts: object, message: string) => logged.push({ ...facts, message });
  const server = await listenHttp({
    host: "127.0.0.1",
    port: 0,
    limits: createNamedLimits(config, { store }),
    tokens: () => [],
    version: "1.2.3",
    readiness: () => ({ ready: true, store: "memory" }),
    metrics: async () => "",
    log: { info: say, warn: say, error: say },
    ...others,
  });
  const { port } = server.address;
  return { port, logged, ask: askAt(`http://127.0.0.1:${port}`), close: () => server.close() };
}

/** May be slow on a busy machine, and is never replaced by another that is right. */
const PATIENT = { deadlineMs: 30_000, onFailure: "throw" } as const;

export interface ServedOnRedis extends Served {
  readonly store: RedisStore;
}

export async function serveOnRedis(options: ServeOptions = {}): Promise<ServedOnRedis> {
  const { host, port } = inject("servers").single;
  const { store, close } = await openRedis(`redis://${host}:${port}`, PATIENT);
  const served = await serve({ namespace: randomUUID(), store, ...options });
  return { ...served, store, close: () => served.close().then(close) };
}

/** As the server opens it. */
export async function openRedis(
  url: string,
  options: OpenOptions,
): Promise<{ readonly store: RedisStore; close(): Promise<void> }> {
  const opened = openStore(url, options);
  if (opened.kind !== "redis") throw new Error(`${url} is no Redis.`);
  await opened.ready();
  return opened;
}

export interface Backend {
  readonly name: string;
  serve(options?: ServeOptions): Promise<Served>;
}

export const BACKENDS: readonly Backend[] = [
  { name: "memory", serve },
  { name: "Redis", serve: serveOnRedis },
];
