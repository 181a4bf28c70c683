/** Entry: measures all contenders in memory, prints the tables and saves the results. */
import { CONTENDERS } from "./contenders.mjs";
import { chosenFrom, readOptions, roundsOf } from "./options.mjs";
import { createProgress } from "./progress.mjs";
import { createReport } from "./report.mjs";
import { runRounds } from "./rounds.mjs";
import { saveIfWhole } from "./save.mjs";
import { reportText } from "./table.mjs";
import { MEMORY_WORKLOAD, SPEED_WORKLOADS } from "./workloads.mjs";

const options = readOptions();
const settings = settingsOf(options);
const contenders = chosenFrom(CONTENDERS, options);
const tasks = tasksOf(contenders, settings);

const date = new Date().toISOString();
const progress = createProgress(tasks.length * settings.rounds);
const results = await runRounds(tasks, settings.rounds, progress);
progress.end();

const report = createReport({ date, settings, contenders, tasks, results });
process.stdout.write(reportText(report));
saveIfWhole("memory", report, options);

function settingsOf(options) {
  const sizing = options.quick
    ? { calls: 100_000, repetitions: 3, sizes: [10_000, 20_000, 40_000] }
    : { calls: 500_000, repetitions: 5, sizes: [50_000, 100_000, 200_000] };
  return { rounds: roundsOf(options, 5), ...sizing };
}

function tasksOf(contenders, { calls, repetitions, sizes }) {
  const tasks = ({ name: workload, takesPart }, details) =>
    contenders.filter(takesPart).map(({ name: contender }) => ({ workload, contender, ...details }));
  const speed = { script: "measure-speed.mjs", nodeOptions: [], calls, repetitions };
  const memory = { script: "measure-memory.mjs", nodeOptions: ["--expose-gc"], sizes };
  return [
    ...SPEED_WORKLOADS.flatMap((workload) => tasks(workload, speed)),
    ...tasks(MEMORY_WORKLOAD, memory),
  ];
}
