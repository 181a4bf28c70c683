/** Entry: measures all contenders in memory, prints the tables and saves the results. */
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { CONTENDERS } from "./contenders.mjs";
import { createProgress } from "./progress.mjs";
import { createReport } from "./report.mjs";
import { runRounds } from "./rounds.mjs";
import { reportText } from "./table.mjs";
import { MEMORY_WORKLOAD, SPEED_WORKLOADS } from "./workloads.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    only: { type: "string" },
  },
});
const settings = settingsOf(options);
const contenders = contendersOf(options);
const tasks = tasksOf(contenders, settings);

const date = new Date().toISOString();
const progress = createProgress(tasks.length * settings.rounds);
const results = await runRounds(tasks, settings.rounds, progress);
progress.end();

const report = createReport({ date, settings, contenders, tasks, results });
process.stdout.write(reportText(report));
if (options.quick || options.only !== undefined) console.log("\nNot saved: only a full run is.");
else save(report);

function settingsOf({ quick, rounds = quick ? "1" : "5" }) {
  const sizing = quick
    ? { calls: 100_000, repetitions: 3, sizes: [10_000, 20_000, 40_000] }
    : { calls: 500_000, repetitions: 5, sizes: [50_000, 100_000, 200_000] };
  if (/^[1-9]\d*$/.test(rounds)) return { rounds: Number(rounds), ...sizing };
  throw new Error(`--rounds must be a whole number of at least 1, and it is ${rounds}.`);
}

function contendersOf({ only }) {
  if (only === undefined) return CONTENDERS;
  const names = only.split(",");
  const unknown = names.filter((name) => !CONTENDERS.some((contender) => contender.name === name));
  if (unknown.length === 0) return CONTENDERS.filter(({ name }) => names.includes(name));
  const known = CONTENDERS.map(({ name }) => name).join(", ");
  throw new Error(`--only takes names from: ${known}; and not: ${unknown.join(", ")}.`);
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

function save(report) {
  const file = new URL("results/memory.json", import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`\nSaved as ${file.pathname}`);
}
