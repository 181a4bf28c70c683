/** The whole server in this process, as `sluice serve` starts it, with what it tells Prometheus. */
import type { LimitConfig, StoreConfig } from "../../src/config/config.js";
import { type Server, startServer } from "../../src/serve/server.js";
import { type Ask, askAt } from "./ask.js";
import { type Family, parseMetrics } from "./prometheus-text.js";

export interface WholeServer {
  readonly server: Server;
  readonly ask: Ask;
  readonly metrics: () => Promise<Metrics>;
}

export interface Metrics {
  readonly families: ReadonlyMap<string, Family>;
  /** A sample's value, by its name and some of its labels; the sum where there are several. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

export async function startWhole(
  limits: Readonly<Record<string, LimitConfig>>,
  store: StoreConfig = { url: "memory" },
): Promise<WholeServer> {
  const anywhere = { host: "127.0.0.1", port: 0 };
  const say = () => {};
  const server = await startServer({
    store: undefined,
    config: { namespace: "whole", tokens: [], store, limits: new Map(Object.entries(limits)) },
    resp: anywhere,
    http: anywhere,
    openToEveryone: false,
    version: "1.2.3",
    log: { info: say, warn: say, error: say },
  });
  const ask = askAt(`http://127.0.0.1:${server.http.port}`);
  return {
    server,
    ask,
    async metrics() {
      const families = parseMetrics((await ask("GET /metrics")).text);
      return { families, value: (name, labels) => valueIn(families, name, labels) };
    },
  };
}

function valueIn(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return [...families.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
