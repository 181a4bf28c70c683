/** How to connect valkey-glide, which has no client for Sentinel. */
import { GlideClient, GlideClusterClient, Logger } from "@valkey/valkey-glide";
import { addressOf, type ClientKind, type ConnectedClient, clientKind } from "./client-kind.js";

/** By default a command fails after 250 ms, which a busy machine may need. */
const PATIENT = { requestTimeout: 10_000, advancedConfiguration: { connectionTimeout: 10_000 } };

// It would print every failure that a test brings about.
Logger.setLoggerConfig("off");

export function glideKind(name: string): ClientKind {
  return clientKind(name, {
    single: async (server, options) =>
      connected(await GlideClient.createClient({ ...PATIENT, addresses: [addressOf(server)], ...options })),
    cluster: async ({ nodes }, options) =>
      connected(
        await GlideClusterClient.createClient({ ...PATIENT, addresses: nodes.map(addressOf), ...options }),
      ),
  });
}

function connected(client: GlideClient | GlideClusterClient): ConnectedClient {
  return {
    client,
    command: (...args) => client.customCommand(args),
    close: async () => client.close(),
  };
}
