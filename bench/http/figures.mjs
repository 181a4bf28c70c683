/** The results of HTTP servers as a document shows them. */
import { whole } from "../columns.mjs";

export function httpFigures(results) {
  const { connections } = results.settings;
  return [
    `Requests per second of a server that says hello, on ${connections} connections, where all pass and where all are ` +
      "refused; and the processor time that the server takes for one.",
    "",
    "| | admitted/s | µs | refused/s | µs |",
    "|---|--:|--:|--:|--:|",
    ...serversOf(results).map((server) => {
      const cells = ["admitted", "refused"].map((workload) => cellsOf(rowOf(results, workload, server)));
      return `| ${server} | ${cells.join(" | ")} |`;
    }),
    "",
    ...results.ratios
      .filter(({ workload }) => workload === "admitted")
      .map((ratio) => comparison(results, ratio)),
    "",
    onWhat(results),
  ].join("\n");
}

function serversOf({ workloads }) {
  return workloads.find(({ name }) => name === "admitted").rows.map(({ contender }) => contender);
}

function rowOf({ workloads }, workload, server) {
  return workloads.find(({ name }) => name === workload).rows.find(({ contender }) => contender === server);
}

/** Without a limiter, nothing is refused. */
function cellsOf(row) {
  return row === undefined ? "– | –" : `${whole(row.perSecond)} | ${row.serverUs.toFixed(1)}`;
}

function comparison({ ratios }, { ours, theirs, value }) {
  const refused = ratios.find((other) => other.workload === "refused" && isSame(other, { ours, theirs }));
  return `- ${ours}: ${value.toFixed(2)} times the requests of ${theirs}, and ${refused.value.toFixed(2)} times the refusals.`;
}

function isSame(one, other) {
  return one.ours === other.ours && one.theirs === other.theirs;
}

function onWhat({ machine, versions, settings }) {
  const used = Object.entries(versions).filter(([name]) => name !== "sluice");
  return (
    `Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores, one for the server and one for the load; medians ` +
    `of ${settings.rounds} rounds, each in a fresh process; ${used.map((entry) => entry.join(" ")).join(", ")}. ` +
    "The peers count fixed windows."
  );
}
