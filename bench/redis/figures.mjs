/** The results on Redis as a document shows them. */
import { whole } from "../columns.mjs";
import { rowAmong, rowsOf } from "./results.mjs";
import { CALLERS, crowdName, LOG_SIZES, logName, MANY_KEYS } from "./workloads.mjs";

const BUSY = 500;

export function redisFigures(results) {
  return [
    `Decisions per second on ${whole(MANY_KEYS)} keys, by the number of callers at once; processor time per decision with ${BUSY} callers, latency with one.`,
    "",
    ...crowds(results),
    "",
    `The six algorithms, ${crowdName(BUSY, MANY_KEYS)}:`,
    "",
    ...algorithms(results),
    "",
    threeLimits(results),
    admission(results),
    slidingLogs(results),
    "",
    onWhat(results),
  ].join("\n");
}

function crowds(results) {
  const contenders = rowsOf(results, crowdName(BUSY, MANY_KEYS)).map(({ contender }) => contender);
  return [
    `| | ${CALLERS.map(whole).join(" | ")} | client µs | server µs | p50 ms |`,
    `|---|${CALLERS.map(() => "--:").join("|")}|--:|--:|--:|`,
    ...contenders.map((contender) => {
      const speeds = CALLERS.map((callers) => whole(rowAmong(results, callers, contender).perSecond));
      const { clientUs, serverUs } = rowAmong(results, BUSY, contender);
      const { p50Ms } = rowAmong(results, 1, contender);
      return `| ${contender} | ${speeds.join(" | ")} | ${clientUs.toFixed(1)} | ${serverUs.toFixed(1)} | ${p50Ms.toFixed(3)} |`;
    }),
  ];
}

function algorithms(results) {
  return [
    "| | decisions/s | client µs | server µs |",
    "|---|--:|--:|--:|",
    ...rowsOf(results, "six algorithms").map(({ contender, perSecond, clientUs, serverUs }) => {
      const algorithm = contender === "sluice" ? "gcra" : contender.replace("sluice ", "");
      return `| ${algorithm} | ${whole(perSecond)} | ${clientUs.toFixed(1)} | ${serverUs.toFixed(1)} |`;
    }),
  ];
}

function threeLimits(results) {
  const speeds = Object.fromEntries(
    rowsOf(results, "three limits").map(({ contender, perSecond }) => [contender, whole(perSecond)]),
  );
  return (
    `- Three limits in one decision: ${speeds.sluice}/s; rate-limiter-flexible's union of three: ` +
    `${speeds["rate-limiter-flexible"]}/s, and ${speeds["rate-limiter-flexible auto-pipelining"]}/s with auto-pipelining.`
  );
}

function admission({ admission: { processes, requests, quotas, rows } }) {
  const { admitted } = rows.find(({ contender }) => contender === "sluice");
  return (
    `- ${processes} processes with ${whole(requests)} requests each at once, and a limit of ${whole(quotas[0].limit)}: ` +
    `Sluice admits ${whole(admitted)}.`
  );
}

function slidingLogs(results) {
  const costs = LOG_SIZES.map((size) => rowsOf(results, logName(size))[0].serverUs.toFixed(1));
  const [small, large] = LOG_SIZES.map(whole);
  return `- A sliding log of ${large} units takes ${costs[1]} µs of the server for a decision, one of ${small} units ${costs[0]} µs.`;
}

function onWhat({ machine, redis, versions, settings }) {
  const peers = ["rate-limiter-flexible", "rate-limit-redis", "redis-gcra"];
  return (
    `Redis ${redis.version} on the same machine, ioredis ${versions.ioredis}, Node ${machine.node}, ${machine.cpu}, ` +
    `${machine.cores} cores; medians of ${settings.rounds} rounds, each in a fresh process; ` +
    `${peers.map((peer) => `${peer} ${versions[peer]}`).join(", ")}.`
  );
}

/** What a call costs the client while Redis is away. */
export function outageFigures({ machine, versions, settings, rows }) {
  const busy = rows.filter(({ callers }) => callers === BUSY);
  const cost = (client, redis, policy) =>
    busy.find((row) => row.client === client && row.workload === redis && row.policy === policy);
  const lines = ["ioredis", "node-redis"].flatMap((client) =>
    ["stopped", "hanging"].map((redis) => {
      const answers = cost(client, "answering", "local").clientUs.toFixed(1);
      const cells = ["local", "allow", "deny"].map((policy) => {
        const { clientUs, ratio } = cost(client, redis, policy);
        return `${clientUs.toFixed(1)} (${ratio.toFixed(2)})`;
      });
      return `| ${client}, ${redis} | ${answers} | ${cells.join(" | ")} |`;
    }),
  );
  return [
    `Processor time of the client for a call, in µs, with ${BUSY} callers, and the ratio to a call that Redis answers:`,
    "",
    "| | Redis answers | `local` | `allow` | `deny` |",
    "|---|--:|--:|--:|--:|",
    ...lines,
    "",
    `ioredis ${versions.ioredis}, node-redis ${versions["redis-6"]}, Node ${machine.node}, ${machine.cpu}, ` +
      `${machine.cores} cores; medians of ${settings.rounds} rounds, each in a fresh process.`,
  ].join("\n");
}
