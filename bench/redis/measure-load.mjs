/** Child process: what decisions of one contender cost under one load; prints JSON. */
import { setTimeout as sleep } from "node:timers/promises";
import { startCallers } from "./callers.mjs";
import { connect } from "./connect.mjs";
import { contenderNamed } from "./contenders.mjs";
import { fillLogs } from "./fill-logs.mjs";
import { serverCpuUs } from "./server-facts.mjs";
import { LOADS } from "./workloads.mjs";

const { contender: name, workload, port, warmUpMs, measureMs } = JSON.parse(process.argv[2]);
const load = LOADS.find((candidate) => candidate.name === workload);
const { clientOptions, make } = contenderNamed(name);

/** A connection apart, so that a reading does not stand in line behind the load. */
const observer = connect(port);
await observer.flushall("SYNC");
const client = connect(port, clientOptions);
await client.ping();
if (load.filled > 0) await fillLogs(client, load);

const callers = startCallers(await make(client, load.quotas), load);
await sleep(warmUpMs);
callers.latencies.clear();
const before = await reading();
await sleep(measureMs);
const after = await reading();
await callers.stop();

const of = (figure) => after[figure] - before[figure];
const [p50Ms, p99Ms] = callers.latencies.quantiles([0.5, 0.99]);
console.log(
  JSON.stringify({
    perSecond: (1000 * of("decisions")) / of("ms"),
    clientUs: of("clientUs") / of("decisions"),
    serverUs: of("serverUs") / of("decisions"),
    p50Ms,
    p99Ms,
    refused: of("refused") / of("decisions"),
    fallback: of("fallback"),
  }),
);
process.exit();

/** The server's time first: it comes when it comes, and the rest is read at that moment. */
async function reading() {
  const serverUs = await serverCpuUs(observer);
  const { user, system } = process.cpuUsage();
  return { serverUs, clientUs: user + system, ms: performance.now(), ...callers.seen };
}
