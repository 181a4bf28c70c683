/** Entry: measures servers with and without limiters, prints the tables and saves the results. */
import { chosenFrom, readOptions, roundsOf } from "../options.mjs";
import { createProgress } from "../progress.mjs";
import { runRounds } from "../rounds.mjs";
import { saveIfWhole } from "../save.mjs";
import { CONTENDERS } from "./contenders.mjs";
import { createReport } from "./report.mjs";
import { reportText } from "./table.mjs";
import { WORKLOADS } from "./workloads.mjs";

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
saveIfWhole("http", report, options);

/** Many short rounds: processes of one server differ by more than the requests of one process do. */
function settingsOf(options) {
  const requests = options.quick ? { warmUp: 5_000, measured: 10_000 } : { warmUp: 20_000, measured: 20_000 };
  return { rounds: roundsOf(options, 15), ...requests };
}

/** Servers that are compared follow each other, so that a machine that changes its pace favours nobody. */
function tasksOf(contenders, { warmUp, measured }) {
  return WORKLOADS.flatMap(({ name: workload }) =>
    contenders
      .filter(({ isBare }) => workload === "admitted" || !isBare)
      .map(({ name: contender }) => ({
        workload,
        contender,
        script: "http/measure-load.mjs",
        nodeOptions: [],
        warmUp,
        measured,
      })),
  );
}
