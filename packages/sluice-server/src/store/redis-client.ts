/** A connection to Redis as a limiter wants it: nothing sent twice, nothing sent late, and every failure told. */
import { Cluster, Redis } from "ioredis";
import type { Login, RedisAddress } from "./store-url.js";

export type Client = Redis | Cluster;

export interface ClientOptions {
  readonly onError: (error: Error) => void;
  /** Whether a connection that is lost or never came about is tried again. */
  readonly reconnect: boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_PAUSE_MS = 1_000;
/** What is not closed by then is cut; ioredis would have a process wait for two seconds. */
const DISCONNECT_TIMEOUT_MS = 100;

export function connect(address: RedisAddress, { onError, reconnect }: ClientOptions): Client {
  const pause = (attempt: number) => (reconnect ? Math.min(50 * attempt, LONGEST_PAUSE_MS) : null);
  const client = clientFor(address, pause);
  client.on("error", (error: Error) => {
    hideLogin(error, address.login);
    onError(plainError(error, address.login));
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
    maxLoadingRetryTime: LONGEST_PAUSE_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
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

/** ioredis rejects with this same error whatever has waited for the login, and Redis may repeat the password in it. */
function hideLogin(error: Error, login: Login): void {
  error.message = withoutPassword(error.message, login);
  delete error.stack;
}

/** What the client says, without the command it was about: that of a failed login holds the password. */
function plainError(error: Error, login: Login): Error {
  const plain = new Error(withoutPassword(messageOf(error), login));
  plain.name = error.name;
  delete plain.stack;
  return plain;
}

function withoutPassword(text: string, { password }: Login): string {
  return password === undefined ? text : text.replaceAll(password, "***");
}

function messageOf(error: Error): string {
  const inner: unknown = "lastNodeError" in error ? error.lastNodeError : undefined;
  const said = inner instanceof Error ? `${error.message} ${inner.message}` : error.message;
  if (said !== "" || !(error instanceof AggregateError)) return said || String(error.name);
  return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join(", ");
}
