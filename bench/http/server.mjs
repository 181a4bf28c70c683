/** Child process: one server; says where it listens, and whenever it is asked, how much processor time it has used. */
import { contenderNamed } from "./contenders.mjs";
import { workloadNamed } from "./workloads.mjs";

const { contender, workload } = JSON.parse(process.argv[2]);

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuUs: user + system });
});
process.on("disconnect", () => process.exit());
process.send({ port: await contenderNamed(contender).listen(workloadNamed(workload)) });
