/** What the suites know of a client library: which servers it can reach, and how to connect to them. */
export type Topology = "single" | "sentinel" | "cluster";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a client connects to, for each topology. */
export interface Servers {
  readonly single: Address;
  readonly sentinel: { readonly name: string; readonly sentinels: readonly Address[] };
  readonly cluster: { readonly nodes: readonly Address[] };
}

export interface ConnectedClient {
  /** What a user would hand to Sluice. */
  readonly client: object;
  /** Sends any command through the library's own method for that. */
  command(...args: string[]): Promise<unknown>;
  /** Never waits for a server. */
  close(): Promise<void>;
}

export interface ClientKind {
  readonly name: string;
  readonly topologies: readonly Topology[];
  /** Connects and waits until the client is ready; `options` go to the library as its own options there. */
  connect<T extends Topology>(
    topology: T,
    servers: Pick<Servers, T>,
    options?: object,
  ): Promise<ConnectedClient>;
}

type Connect<T extends Topology> = (servers: Servers[T], options: object) => Promise<ConnectedClient>;

export function clientKind(name: string, connect: { readonly [T in Topology]?: Connect<T> }): ClientKind {
  return {
    name,
    topologies: (["single", "sentinel", "cluster"] as const).filter((topology) => topology in connect),
    async connect<T extends Topology>(topology: T, servers: Pick<Servers, T>, options: object = {}) {
      const connectTo: Connect<T> | undefined = connect[topology];
      if (connectTo === undefined) throw new Error(`${name} has no client for ${topology}.`);
      return connectTo(servers[topology], options);
    },
  };
}

/** An address and nothing else: libraries copy what they are given into their options. */
export function addressOf({ host, port }: Address): Address {
  return { host, port };
}

/** Failures reach a test by the command that fails; an `error` event without a listener would end the process. */
export function ignoreErrors(client: { on(event: "error", listener: () => void): unknown }): void {
  client.on("error", () => {});
}
