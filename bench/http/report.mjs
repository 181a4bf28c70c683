/** What was found of the servers: medians over the rounds, ratios, and where and with what it was measured. */
import { createRequire } from "node:module";
import { machineFacts, versionsOf } from "../machine.mjs";
import { medianRow } from "../median-row.mjs";
import { ratios } from "./ratios.mjs";
import { CONNECTIONS, WORKLOADS } from "./workloads.mjs";

/** How many decimals of a figure mean something. */
const DECIMALS = { perSecond: 0, serverUs: 2, clientUs: 2 };

export function createReport({ date, settings, contenders, tasks, results }) {
  const libraries = contenders.map(({ library }) => library).filter((library) => library !== undefined);
  const found = tasks.map(({ workload, contender }, place) => ({
    workload,
    contender,
    rounds: results[place],
  }));
  const roundsOf = (workload, contender) =>
    found.find((entry) => entry.workload === workload && entry.contender === contender)?.rounds;
  return {
    date,
    machine: machineFacts(),
    versions: { express: versionOfExpress(), ...versionsOf([...new Set(["fastify", ...libraries])]) },
    settings: { ...settings, connections: CONNECTIONS },
    ratios: ratios(roundsOf),
    workloads: WORKLOADS.map(({ name, title, limit, seconds }) => ({
      name,
      title,
      limit,
      seconds,
      rows: found
        .filter(({ workload }) => workload === name)
        .map(({ contender, rounds }) => ({ contender, ...medianRow(rounds, DECIMALS) })),
    })),
  };
}

/** It is installed under another name, beside its earlier version. */
function versionOfExpress() {
  return createRequire(import.meta.url)("express-5/package.json").version;
}
