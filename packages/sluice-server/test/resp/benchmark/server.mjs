/** A server on the memory store in a process of its own, which prints its port and then, for each line it reads, its memory. */
import { createInterface } from "node:readline";
import { memoryStore } from "sluice";
import { createNamedLimits } from "../../../dist/limits/named-limits.js";
import { listenResp } from "../../../dist/resp/listen.js";

const store = memoryStore();
const config = { namespace: "bench", store: { url: "memory" }, tokens: [], limits: new Map() };
const { address } = await listenResp({
  host: "127.0.0.1",
  port: 0,
  namespace: "bench",
  store,
  limits: createNamedLimits(config, { store }),
  tokens: () => [],
  log: console,
});
console.log(address.port);
for await (const _ of createInterface({ input: process.stdin })) {
  const rss = process.memoryUsage.rss();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ keys: store.size, rss, live: heapUsed + external }));
}
process.exit();
