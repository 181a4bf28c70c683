/** Child process: one server; says where it listens, and whenever it is asked, how much processor time it has used. */
import { contenderNamed } from "./contenders.mjs";
import { workloadNamed } from "./workloads.mjs";

const { contender, workload } = JSON.parse(process.argv[2]);
await settleNextTick();

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuUs: user + system });
});
process.on("disconnect", () => process.exit());
process.send({ port: await contenderNamed(contender).listen(workloadNamed(workload)) });

/**
 * V8 optimizes Node's own process.nextTick in one of two ways, by what a process happens to do as it starts, and the
 * worse one costs every request of Fastify some 10 µs. Ticks that do nothing, before anything else, settle it on the
 * better one for everybody.
 */
async function settleNextTick() {
  const TURNS = 20;
  const TICKS = 1_000;
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let tick = 0; tick < TICKS; tick += 1) process.nextTick(() => {});
    await new Promise((resolve) => setImmediate(resolve));
  }
}
