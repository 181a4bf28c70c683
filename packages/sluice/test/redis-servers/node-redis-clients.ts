/** How to connect node-redis, whose three clients differ in how they are told the key of a command. */
import { type Address, addressOf, type ClientKind, clientKind, ignoreErrors } from "./client-kind.js";

interface NodeRedisClient {
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

interface Single extends NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
}

interface Sentinel extends NodeRedisClient {
  sendCommand(isReadonly: boolean, args: string[]): Promise<unknown>;
}

interface Cluster extends NodeRedisClient {
  sendCommand(key: string | undefined, isReadonly: boolean, args: string[]): Promise<unknown>;
}

interface SentinelOptions {
  name: string;
  sentinelRootNodes: Address[];
}

interface NodeRedisLibrary {
  createClient(options: { url: string }): Single;
  createSentinel(options: SentinelOptions): Sentinel;
  createCluster(options: { rootNodes: { url: string }[] }): Cluster;
}

export function nodeRedisKind(name: string, library: NodeRedisLibrary): ClientKind {
  return clientKind(name, {
    single: async (server, options) => {
      const client = await connected(library.createClient({ url: urlOf(server), ...options }));
      return { client, command: (...args) => client.sendCommand(args), close: () => destroy(client) };
    },
    sentinel: async ({ name, sentinels }, options) => {
      const sentinelRootNodes = sentinels.map(addressOf);
      const client = await connected(library.createSentinel({ name, sentinelRootNodes, ...options }));
      return { client, command: (...args) => client.sendCommand(false, args), close: () => destroy(client) };
    },
    cluster: async ({ nodes }, options) => {
      const rootNodes = nodes.map((node) => ({ url: urlOf(node) }));
      const client = await connected(library.createCluster({ rootNodes, ...options }));
      return {
        client,
        command: (...args) => client.sendCommand(keyOf(args), false, args),
        close: () => destroy(client),
      };
    },
  });
}

/** As a URL, since `socket` would be replaced by the `socket` of further options. */
function urlOf({ host, port }: Address): string {
  return `redis://${host}:${port}`;
}

/** Where the key is told wrong, the client returns to the wrong node after each MOVED, until it gives up. */
function keyOf([name, ...args]: readonly string[]): string | undefined {
  return /^(EVAL|EVALSHA|FCALL)(_RO)?$/i.test(name ?? "") ? args[2] : args[0];
}

async function connected<Client extends NodeRedisClient>(client: Client): Promise<Client> {
  ignoreErrors(client);
  try {
    await client.connect();
  } catch (error) {
    await destroy(client);
    throw error;
  }
  return client;
}

/** A client that has closed by itself refuses to be destroyed. */
async function destroy(client: NodeRedisClient): Promise<void> {
  try {
    await client.destroy();
  } catch {}
}
