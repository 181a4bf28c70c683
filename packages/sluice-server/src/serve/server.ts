/** The whole server: a store, the named limits on it, and the surfaces that ask them. */
import { fileURLToPath } from "node:url";
import type { Config } from "../config/config.js";
import { type HttpServer, listenHttp } from "../http/http-server.js";
import { createNamedLimits, type NamedLimits } from "../limits/named-limits.js";
import { createLiveView } from "../live/live-view.js";
import type { Log } from "../log.js";
import { createMetrics } from "../metrics/metrics.js";
import { listenResp, type RespServer } from "../resp/listen.js";
import { type OpenedStore, openStore } from "../store/open-store.js";
import { describeStore, parseStoreUrl } from "../store/store-url.js";
import { TokenGuard } from "../tokens.js";
import { UsageError } from "../usage-error.js";
import { type Changes, changesBetween } from "./changes.js";
import { everySecond } from "./every-second.js";
import { boundTo, type HostPort, isLoopback } from "./host-port.js";
import { listening } from "./listening.js";
import { createPresence } from "./store-presence.js";

export interface ServerOptions {
  readonly config: Config;
  /** Over that of the configuration. */
  readonly store: string | undefined;
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
  /**
   * Takes what another configuration says from now on, as far as that goes without a new start. Where it throws,
   * nothing has changed.
   */
  reconfigure(config: Config): Changes;
  /** Answers what has been asked, then closes. */
  close(): Promise<void>;
}

const PAGE_FOLDER = fileURLToPath(new URL("../../dist/page", import.meta.url));

export async function startServer(options: ServerOptions): Promise<Server> {
  const { log, version } = options;
  let config = chosen(options.config, options);
  checkSafe(config, options);

  const metrics = createMetrics();
  const name = describeStore(parseStoreUrl(config.store.url));
  const presence = createPresence(name, () => opened, log);
  const opened: OpenedStore = openStore(config.store.url, {
    ...config.store,
    onError: presence.connectionFailed,
    onReady: presence.connected,
    onUnavailable(error) {
      metrics.onUnavailable(error);
      presence.callFailed(error);
    },
    onBatch: metrics.onBatch,
  });
  metrics.watch(opened);
  const live = createLiveView(opened);
  const stopTicking = everySecond(live.tick);
  const surfaces: (RespServer | HttpServer)[] = [];
  let closing = false;

  async function close(): Promise<void> {
    closing = true;
    stopTicking();
    try {
      await Promise.all(surfaces.map((surface) => surface.close()));
    } finally {
      await opened.close();
    }
  }

  try {
    const limits = createNamedLimits(config, {
      store: opened.store,
      onDecision(limit, event) {
        metrics.onDecision(limit, event);
        live.onDecision(limit, event);
        presence.decided(event.decision);
      },
    });
    const tokens = () => config.tokens;
    const common = { limits, tokens, tokenGuard: new TokenGuard(), log, version };
    const resp = await listening("--resp", options.resp, (where) =>
      listenResp({
        ...where,
        ...common,
        namespace: config.namespace,
        store: opened.store,
        storeAt: opened.kind === "redis" ? opened.at : undefined,
        onCommand(command, _, milliseconds) {
          metrics.answered("resp", milliseconds / 1000);
          if (command === "RATELIMIT") live.tookRateLimit(milliseconds);
        },
        onRateLimit(verdict) {
          metrics.onRateLimit(verdict);
          live.onRateLimit(verdict);
          presence.decided(verdict);
        },
      }),
    );
    surfaces.push(resp);
    const http = await listening("--http", options.http, (where) =>
      listenHttp({
        ...where,
        ...common,
        readiness: () => ({ ready: !closing, store: presence.state }),
        metrics: () => metrics.text(),
        hosts: () => config.http?.hosts ?? [],
        gateBehindProxy: () => config.http?.gateBehindProxy ?? false,
        page: {
          live,
          folder: PAGE_FOLDER,
          isLoopbackOnly: [options.resp, options.http].every(isLoopback),
          hashed: () => config.page?.identities === "hashed",
        },
        answered: (milliseconds) => metrics.answered("http", milliseconds / 1000),
      }),
    );
    surfaces.push(http);
    return {
      resp: boundTo(resp.address),
      http: boundTo(http.address),
      store: opened.describe,
      limits,
      get needsToken() {
        return config.tokens.length > 0;
      },
      reconfigure(given) {
        const next = chosen(given, options);
        checkSafe(next, options);
        const changes = changesBetween(config, next);
        const { namespace, store } = config;
        const taken = { ...next, namespace, store };
        limits.replace(taken);
        config = taken;
        live.reconfigured(taken.limits);
        return changes;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function chosen(config: Config, { store: url = config.store.url }: ServerOptions): Config {
  return { ...config, store: { ...config.store, url } };
}

/** Whoever can reach the server could use up anybody's limits. */
function checkSafe({ tokens }: Config, { resp, http, openToEveryone }: ServerOptions): void {
  if (tokens.length > 0 || openToEveryone || [resp, http].every(isLoopback)) return;
  throw new UsageError(
    "Beyond loopback, whoever asks must have a token: name at least one under `tokens` in the configuration, " +
      "or say --open-to-everyone where a network of your own keeps strangers out.",
  );
}
