/** The results of the servers as text: a table for each workload, the ratios, and notes. */
import { columns, whole } from "../columns.mjs";
import { contenderNamed } from "./contenders.mjs";

export function reportText({ date, machine, versions, settings, workloads, ratios }) {
  const { cpu, cores, memoryGiB, system, node } = machine;
  const used = Object.entries(versions).map((entry) => entry.join(" "));
  const parts = [
    `${date}; ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`,
    used.join(", "),
    ...workloads.filter(({ rows }) => rows.length > 0).map((workload) => workloadText(workload, settings)),
    ...(ratios.length > 0 ? [`Ratios\n\n${ratioTable(ratios)}`] : []),
    notes(workloads.flatMap(({ rows }) => rows)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function workloadText({ name, title, rows }, { connections }) {
  return `${name}: ${title}; ${connections} connections\n\n${rowTable(rows)}`;
}

function rowTable(rows) {
  return columns(
    ["server", "requests/s", "lowest", "highest", "server µs", "load µs"],
    rows.map(({ contender, perSecond, rounds, serverUs, clientUs }) => [
      contender,
      whole(perSecond),
      whole(Math.min(...rounds.map((round) => round.perSecond))),
      whole(Math.max(...rounds.map((round) => round.perSecond))),
      serverUs.toFixed(1),
      clientUs.toFixed(1),
    ]),
  );
}

function ratioTable(ratios) {
  return columns(
    ["ratio", "requests/s", "goal", "met", "server µs"],
    ratios.map(({ workload, ours, theirs, value, goal, met, byProcessor }) => [
      `${workload}: ${ours} / ${theirs}`,
      value.toFixed(2),
      `≥ ${goal}`,
      met ? "yes" : "no",
      byProcessor.toFixed(2),
    ]),
  );
}

function notes(rows) {
  const measured = [...new Set(rows.map(({ contender }) => contender))].map(contenderNamed);
  return [
    "Each figure is the median of the rounds; lowest and highest are the rounds' own. Processor time is that of the",
    "server, and of the load, for one request. A ratio is the median of the rounds' ratios; above 1 Sluice is faster.",
    ...measured.map(({ name, note }) => `- ${name}: ${note}`),
  ].join("\n");
}
