/** How to connect ioredis and its fork iovalkey, whose clients look the same from outside. */
import {
  type Address,
  addressOf,
  type ClientKind,
  type ConnectedClient,
  clientKind,
  ignoreErrors,
} from "./client-kind.js";

interface IoredisClient {
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<void>;
  call(command: string, args: string[]): Promise<unknown>;
  disconnect(): void;
}

interface IoredisLibrary {
  readonly Redis: new (options: object) => IoredisClient;
  readonly Cluster: new (nodes: Address[], options: object) => IoredisClient;
}

export function ioredisKind(name: string, { Redis, Cluster }: IoredisLibrary): ClientKind {
  return clientKind(name, {
    single: (server, options) =>
      connected(new Redis({ ...addressOf(server), lazyConnect: true, ...options })),
    sentinel: ({ name, sentinels }, options) =>
      connected(new Redis({ sentinels: sentinels.map(addressOf), name, lazyConnect: true, ...options })),
    cluster: ({ nodes }, options) =>
      connected(
        new Cluster(nodes.map(addressOf), { slotsRefreshTimeout: 10_000, lazyConnect: true, ...options }),
      ),
  });
}

async function connected(client: IoredisClient): Promise<ConnectedClient> {
  ignoreErrors(client);
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw error;
  }
  return {
    client,
    command: (name, ...args) => client.call(name!, args),
    close: async () => client.disconnect(),
  };
}
