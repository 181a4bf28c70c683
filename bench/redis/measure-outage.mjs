/** Child process: the client's processor time per decision while Redis answers, is stopped or hangs; prints JSON. */
import { setTimeout as sleep } from "node:timers/promises";
import { createSluice } from "sluice";
import { redisStore } from "sluice/redis";
import { startCallers } from "./callers.mjs";
import { startServer } from "./server.mjs";

const { workload, client: library, policy, callers, warmUpMs, measureMs } = JSON.parse(process.argv[2]);

const CLIENTS = {
  async ioredis(port) {
    const { Redis } = await import("ioredis");
    const client = new Redis({ host: "127.0.0.1", port });
    client.on("error", () => {});
    await client.ping();
    return client;
  },
  async "node-redis"(port) {
    const { createClient } = await import("redis-6");
    const client = createClient({ socket: { host: "127.0.0.1", port } });
    client.on("error", () => {});
    return client.connect();
  },
};

const server = await startServer();
const store = redisStore(await CLIENTS[library](server.port), { onFailure: policy });
const limiter = createSluice({ store }).limit("user:1000/h gcra");
const load = startCallers(
  {
    consume: (key) => limiter.consume({ user: key }),
    admitted: (decision) => decision.allowed,
    isRefusal: () => false,
    isFallback: (decision) => decision.source !== "store",
  },
  { callers, keys: 10_000 },
);
await sleep(warmUpMs);
if (workload === "stopped") await server.stop();
if (workload === "hanging") server.signal("SIGSTOP");
/** Three deadlines and a rest: by then the breaker is open. */
if (workload !== "answering") await sleep(1_500);
await sleep(warmUpMs);
const before = reading();
await sleep(measureMs);
const after = reading();

const asExpected = after.decisions - before.decisions;
const byPolicy = after.fallback - before.fallback;
const [measured, others] = workload === "answering" ? [asExpected, byPolicy] : [byPolicy, asExpected];
if (others > measured / 100) throw new Error(`${others} of ${measured + others} were answered otherwise.`);
console.log(JSON.stringify({ clientUs: (after.clientUs - before.clientUs) / measured }));
if (workload !== "stopped") await server.stop();
process.exit();

function reading() {
  const { user, system } = process.cpuUsage();
  return { clientUs: user + system, ...load.seen };
}
