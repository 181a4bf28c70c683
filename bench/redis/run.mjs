/** Entry: measures all contenders on a Redis server of its own, prints the tables and saves the results. */
import { chosenFrom, readOptions, roundsOf } from "../options.mjs";
import { createProgress } from "../progress.mjs";
import { runRounds } from "../rounds.mjs";
import { saveIfWhole } from "../save.mjs";
import { connect } from "./connect.mjs";
import { CONTENDERS } from "./contenders.mjs";
import { createReport } from "./report.mjs";
import { startServer } from "./server.mjs";
import { serverVersion } from "./server-facts.mjs";
import { reportText } from "./table.mjs";
import { ADMISSION, LOADS } from "./workloads.mjs";

const options = readOptions();
const settings = settingsOf(options);
const contenders = chosenFrom(CONTENDERS, options);

const date = new Date().toISOString();
const server = await startServer();
try {
  const tasks = tasksOf(contenders, settings, server.port);
  const redis = await aboutServer(server.port);
  const progress = createProgress(tasks.length * settings.rounds);
  const results = await runRounds(tasks, settings.rounds, progress);
  progress.end();

  const report = createReport({ date, redis, settings, contenders, tasks, results });
  process.stdout.write(reportText(report));
  saveIfWhole("redis", report, options);
} finally {
  await server.stop();
}

function settingsOf(options) {
  const times = options.quick ? { warmUpMs: 200, measureMs: 500 } : { warmUpMs: 1_000, measureMs: 3_000 };
  return { rounds: roundsOf(options, 3), ...times };
}

/** Contenders that are compared follow each other, so that a machine that changes its pace favours nobody. */
function tasksOf(contenders, { warmUpMs, measureMs }, port) {
  const tasks = ({ name: workload, contenders: names }, details) =>
    names
      .filter((name) => contenders.some((contender) => contender.name === name))
      .map((contender) => ({ workload, contender, nodeOptions: [], port, ...details }));
  return [
    ...LOADS.flatMap((load) => tasks(load, { script: "redis/measure-load.mjs", warmUpMs, measureMs })),
    ...tasks(ADMISSION, { script: "redis/measure-admission.mjs" }),
  ];
}

async function aboutServer(port) {
  const client = connect(port);
  const version = await serverVersion(client);
  client.disconnect();
  return { version, settings: 'save "", appendonly no, over TCP on the same machine' };
}
