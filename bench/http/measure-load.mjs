/** Child process: how many requests a second one server answers under one load; prints JSON. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startLoad } from "./load.mjs";
import { CONNECTIONS, workloadNamed } from "./workloads.mjs";

const { contender, workload, warmUp, measured } = JSON.parse(process.argv[2]);
const { status } = workloadNamed(workload);

const server = fork(
  fileURLToPath(new URL("server.mjs", import.meta.url)),
  [JSON.stringify({ contender, workload })],
  { stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, NODE_ENV: "production" } },
);
const [{ port }] = await once(server, "message");

/** The first request of all passes. */
if (status !== 200) await (await fetch(`http://127.0.0.1:${port}/`)).text();
const load = await startLoad({ port, connections: CONNECTIONS, status });
await load.answered(warmUp);
const before = await reading();
await load.answered(measured);
const after = await reading();
load.stop();
server.disconnect();

const of = (figure) => after[figure] - before[figure];
console.log(
  JSON.stringify({
    perSecond: (1000 * of("answers")) / of("ms"),
    serverUs: of("serverUs") / of("answers"),
    clientUs: of("clientUs") / of("answers"),
  }),
);

/** The server's time first: it comes when it comes, and the rest is read at that moment. */
async function reading() {
  const answered = once(server, "message");
  server.send("cpu");
  const [{ cpuUs }] = await answered;
  const { user, system } = process.cpuUsage();
  return { serverUs: cpuUs, clientUs: user + system, ms: performance.now(), answers: load.answers() };
}
