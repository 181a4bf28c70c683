/** The Redis servers that the docs' code speaks to: its own, since each block begins with empty ones. */
import { startCluster } from "../redis-servers/cluster.js";
import { startServer } from "../redis-servers/redis-server.js";
import { startSentinelGroup } from "../redis-servers/sentinel.js";
import { startUpstashEndpoint } from "./upstash.js";

export interface DocsServers {
  /** By the port that the docs name, the one that was free. */
  readonly ports: Readonly<Record<number, number>>;
  /** The ports of those that hold keys. */
  readonly holdKeys: readonly number[];
  /** What the docs' code finds in its environment. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** As in the tutorials of Redis: what a reader is likely to have at hand. */
const SINGLE_PORTS = [6379, 6380, 6381];
const SENTINEL_PORTS = [26379, 26380, 26381];
const CLUSTER_PORTS = [7000, 7001, 7002];

export async function startDocsServers(): Promise<DocsServers> {
  const singles = await Promise.all(SINGLE_PORTS.map(() => startServer()));
  const [group, cluster] = await Promise.all([startSentinelGroup(), startCluster()]);
  const upstash = await startUpstashEndpoint(singles[0]!.port);
  const documented = [...SINGLE_PORTS, ...SENTINEL_PORTS, ...CLUSTER_PORTS];
  const started = [...singles, ...group.sentinels, ...cluster.nodes];
  return {
    ports: Object.fromEntries(documented.map((port, index) => [port, started[index]!.port])),
    holdKeys: [...singles, group.primary, ...cluster.nodes].map(({ port }) => port),
    env: upstash.env,
    stop: async () => {
      await upstash.stop();
      await Promise.all([...singles, group, cluster].map((server) => server.stop()));
    },
  };
}
