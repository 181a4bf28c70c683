/** Runs before all tests: starts the Redis servers that the suites share, one of each topology. */
import type { TestProject } from "vitest/node";
import { type Address, addressOf } from "./redis-servers/client-kind.js";
import type { Servers } from "./redis-servers/clients.js";
import { startCluster } from "./redis-servers/cluster.js";
import { startServer } from "./redis-servers/redis-server.js";
import { startSentinelGroup } from "./redis-servers/sentinel.js";

declare module "vitest" {
  export interface ProvidedContext {
    readonly servers: Servers;
  }
}

export default async function startSharedServers({ provide }: TestProject): Promise<() => Promise<void>> {
  const groups = await Promise.all([startServer(), startSentinelGroup(), startCluster()]);
  const [single, { name, sentinels }, { nodes }] = groups;
  const addresses = (servers: readonly Address[]) => servers.map(addressOf);
  provide("servers", {
    single: addressOf(single),
    sentinel: { name, sentinels: addresses(sentinels) },
    cluster: { nodes: addresses(nodes) },
  });
  return async () => {
    await Promise.all(groups.map((group) => group.stop()));
  };
}
