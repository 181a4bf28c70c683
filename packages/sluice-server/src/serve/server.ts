/** The whole server: a store, the named limits on it, and the surfaces that ask them. */
import type { Config } from "../config/config.js";
import type { HttpServer } from "../http/http-server.js";
import { listenHttp } from "../http/http-server.js";
import { createNamedLimits, type NamedLimits } from "../limits/named-limits.js";
import type { Log } from "../log.js";
import { createMetrics } from "../metrics/metrics.js";
import { listenResp, type RespServer } from "../resp/listen.js";
import { type OpenedStore, openStore } from "../store/open-store.js";
import { describeStore, parseStoreUrl } from "../store/store-url.js";
import { UsageError } from "../usage-error.js";
import { type HostPort, isLoopback } from "./host-port.js";
import { listening } from "./listening.js";

export interface ServerOptions {
  readonly config: Config;
  readonly resp: HostPort;
  readonly http: HostPort;
  /** Whether everybody may ask, also from beyond this machine. */
  readonly openToEveryone: boolean;
  readonly version: string;
  readonly log: Log;
}

export interface Server {
  readonly resp: HostPort;
  readonly http: HostPort;
  /** For logs and people. */
  readonly store: string;
  readonly limits: NamedLimits;
  readonly needsToken: boolean;
  /** Takes what another configuration says from now on, as far as that goes without a new start. */
  reconfigure(config: Config): void;
  /** Answers what has been asked, then closes. */
  close(): Promise<void>;
}

const SAY_AGAIN_MS = 10_000;

export async function startServer(options: ServerOptions): Promise<Server> {
  const { log, version } = options;
  let { config } = options;
  checkSafe(config, options);
  let closing = false;

  const metrics = createMetrics();
  const opened = openStore(config.store.url, {
    ...config.store,
    onError: atMostEvery(SAY_AGAIN_MS, ({ message }: Error) =>
      log.warn({ store: opened.describe, reason: message }, "the store is away"),
    ),
    onReady: () => log.info({ store: opened.describe }, "the store answers"),
    onUnavailable: metrics.onUnavailable,
    onBatch: metrics.onBatch,
  });
  metrics.watch(opened);
  const limits = createNamedLimits(config, { store: opened.store, onDecision: metrics.onDecision });
  const tokens = () => config.tokens;
  const surfaces: (RespServer | HttpServer)[] = [];

  async function closeAll(): Promise<void> {
    closing = true;
    await Promise.all(surfaces.map((surface) => surface.close()));
    await opened.close();
  }

  try {
    const resp = await listening("--resp", options.resp, ({ host, port }) =>
      listenResp({
        host,
        port,
        limits,
        tokens,
        log,
        version,
        namespace: config.namespace,
        store: opened.store,
        storeAt: opened.kind === "redis" ? opened.at : undefined,
        onCommand: (_, __, milliseconds) => metrics.answered("resp", milliseconds / 1000),
        onRateLimit: metrics.onRateLimit,
      }),
    );
    surfaces.push(resp);
    const http = await listening("--http", options.http, ({ host, port }) =>
      listenHttp({
        host,
        port,
        limits,
        tokens,
        log,
        version,
        readiness: () => ({ ready: !closing, store: healthOf(opened) }),
        metrics: () => metrics.text(),
        answered: (milliseconds) => metrics.answered("http", milliseconds / 1000),
      }),
    );
    surfaces.push(http);
    return {
      resp: { host: options.resp.host, port: resp.address.port },
      http: { host: options.http.host, port: http.address.port },
      store: opened.describe,
      limits,
      get needsToken() {
        return config.tokens.length > 0;
      },
      reconfigure(next) {
        checkSafe(next, options);
        const { namespace, store } = config;
        for (const name of changedForLater(config, next))
          log.warn({ setting: name }, "this setting has changed and counts from the next start");
        config = { ...next, namespace, store };
        limits.replace(config);
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Whoever can reach the server could use up anybody's limits. */
function checkSafe({ tokens }: Config, { resp, http, openToEveryone }: ServerOptions): void {
  if (tokens.length > 0 || openToEveryone || [resp, http].every(isLoopback)) return;
  throw new UsageError(
    "Beyond loopback, whoever asks must have a token: name at least one under `tokens` in the configuration, " +
      "or say --open-to-everyone where a network of your own keeps strangers out.",
  );
}

/** A client that tries again and again says the same again and again. */
function atMostEvery<Event>(ms: number, say: (event: Event) => void): (event: Event) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    say(event);
  };
}

function changedForLater(now: Config, next: Config): readonly string[] {
  const described = ({ store }: Config) =>
    JSON.stringify({ ...store, url: describeStore(parseStoreUrl(store.url)) });
  return [
    ...(now.namespace === next.namespace ? [] : ["namespace"]),
    ...(described(now) === described(next) ? [] : ["store"]),
  ];
}

function healthOf(opened: OpenedStore): string {
  if (opened.kind === "memory") return "memory";
  return opened.store.health().breaker === "closed" ? "answers" : "away";
}
