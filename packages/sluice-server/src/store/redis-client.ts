/** A connection to Redis as a limiter wants it: nothing sent twice, nothing sent late, and every failure told. */
import { Cluster, Redis } from "ioredis";
import type { RedisAddress } from "./store-url.js";

export type Client = Redis | Cluster;

export interface ClientOptions {
  readonly onError: (error: Error) => void;
  /** Whether a connection that is lost or never came about is tried again. */
  readonly reconnect: boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_PAUSE_MS = 1_000;

export function connect(address: RedisAddress, { onError, reconnect }: ClientOptions): Client {
  const pause = (attempt: number) => (reconnect ? Math.min(50 * attempt, LONGEST_PAUSE_MS) : null);
  const client = clientFor(address, pause);
  client.on("error", (error: Error) => {
    onError(plainError(error));
    // ioredis would go on in database 0, which may be somebody else's.
    if (error.message.includes("DB index is out of range")) client.disconnect();
  });
  client.once("ready", () => {
    // Whoever was there before the connection could wait for it. From now on the store's own policy answers at once.
    client.options.enableOfflineQueue = false;
  });
  return client;
}

function clientFor(address: RedisAddress, pause: (attempt: number) => number | null): Client {
  const { kind, tls, login, hosts, name, db } = address;
  const common = {
    ...(login.username !== undefined && { username: login.username }),
    ...(login.password !== undefined && { password: login.password }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A script that was sent may have been run: to send it again would charge twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
    connectionName: "sluice",
  };
  const secure = tls ? { tls: {} } : {};
  if (kind === "cluster") {
    return new Cluster([...hosts], {
      redisOptions: { ...common, ...secure },
      clusterRetryStrategy: pause,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      // Certificates are for names: with TLS, nodes are not asked for by address.
      ...(tls && {
        dnsLookup: (host: string, found: (error: null, address: string) => void) => found(null, host),
      }),
    });
  }
  if (kind === "sentinel") {
    return new Redis({
      ...common,
      ...secure,
      ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      sentinels: [...hosts],
      name: name!,
      db,
      retryStrategy: pause,
      sentinelRetryStrategy: pause,
    });
  }
  return new Redis({ ...common, ...secure, ...hosts[0]!, db, retryStrategy: pause });
}

/** What the client says, without the command it was about: that of a failed login holds the password. */
function plainError(error: Error): Error {
  const plain = new Error(messageOf(error));
  plain.name = error.name;
  delete plain.stack;
  return plain;
}

function messageOf(error: Error): string {
  const inner: unknown = "lastNodeError" in error ? error.lastNodeError : undefined;
  const said = inner instanceof Error ? `${error.message} ${inner.message}` : error.message;
  if (said !== "" || !(error instanceof AggregateError)) return said || String(error.name);
  return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join(", ");
}
