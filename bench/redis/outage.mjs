/** Entry: what a decision costs the client while Redis is away, beside one that Redis answers. */
import { columns } from "../columns.mjs";
import { machineFacts, versionsOf } from "../machine.mjs";
import { median } from "../median.mjs";
import { readOptions, roundsOf } from "../options.mjs";
import { createProgress } from "../progress.mjs";
import { runRounds } from "../rounds.mjs";
import { saveIfWhole } from "../save.mjs";

const CLIENTS = ["ioredis", "node-redis"];
const POLICIES = ["local", "allow", "deny"];
const CALLERS = [1, 500];

const options = readOptions();
const times = options.quick ? { warmUpMs: 300, measureMs: 500 } : { warmUpMs: 1_000, measureMs: 1_500 };
const settings = { rounds: roundsOf(options, 3), ...times, goal: 1.5 };
const date = new Date().toISOString();

/** What is compared follows each other, so that a machine that changes its pace favours nobody. */
const tasks = CALLERS.flatMap((callers) =>
  CLIENTS.flatMap((client) => {
    const task = { script: "redis/measure-outage.mjs", nodeOptions: [], client, callers, ...times };
    return [
      { ...task, workload: "answering", contender: `${client} among ${callers}`, policy: "local" },
      ...["stopped", "hanging"].flatMap((workload) =>
        POLICIES.map((policy) => ({
          ...task,
          workload,
          contender: `${client} among ${callers}, ${policy}`,
          policy,
        })),
      ),
    ];
  }),
);

const progress = createProgress(tasks.length * settings.rounds);
const results = await runRounds(tasks, settings.rounds, progress);
progress.end();

/** A ratio is taken within each round, and the median of the rounds counts. */
const rows = tasks.map(({ client, callers, workload, policy }, place) => {
  const answering =
    results[
      tasks.findIndex(
        (task) => task.client === client && task.callers === callers && task.workload === "answering",
      )
    ];
  const rounds = results[place].map(({ clientUs }, round) => ({
    clientUs: rounded(clientUs),
    ratio: rounded(clientUs / answering[round].clientUs),
  }));
  const middle = (figure) => rounded(median(rounds.map((round) => round[figure])));
  return { client, callers, workload, policy, clientUs: middle("clientUs"), ratio: middle("ratio"), rounds };
});

const report = {
  date,
  machine: machineFacts(),
  versions: versionsOf(["sluice", "ioredis", "redis-6"]),
  settings,
  rows,
};
process.stdout.write(
  `${columns(
    ["client", "callers", "Redis", "policy", "client µs", "ratio"],
    rows.map(({ client, callers, workload, policy, clientUs, ratio }) =>
      [
        client,
        callers,
        workload,
        workload === "answering" ? "" : policy,
        clientUs.toFixed(2),
        ratio.toFixed(2),
      ].map(String),
    ),
  )}\n`,
);
saveIfWhole("outage", report, options);

function rounded(number) {
  return Number(number.toFixed(2));
}
