/** The comparisons that the project has set itself, each as the median of the rounds' own ratios. */
import { median } from "../median.mjs";
import { ADMISSION, crowdName, LOG_SIZES, logName, MANY_KEYS } from "./workloads.mjs";

const BUSY = crowdName(500, MANY_KEYS);
const ALONE = crowdName(1, MANY_KEYS);
const [SMALL_LOG, LARGE_LOG] = LOG_SIZES.map(logName);
const sluice = (workload) => ({ workload, contender: "sluice" });
const flexible = (workload) => ({ workload, contender: "rate-limiter-flexible" });
const pipelined = (workload) => ({ workload, contender: "rate-limiter-flexible auto-pipelining" });
const log = (workload) => ({ workload, contender: "sluice sliding-log" });

const COMPARED = [
  {
    name: `throughput vs rate-limiter-flexible, ${BUSY}`,
    figure: "perSecond",
    of: sluice(BUSY),
    to: flexible(BUSY),
    goal: { atLeast: 4 },
  },
  {
    name: `throughput vs rate-limiter-flexible with auto-pipelining, ${BUSY}`,
    figure: "perSecond",
    of: sluice(BUSY),
    to: pipelined(BUSY),
    goal: { atLeast: 2.5 },
  },
  {
    name: `client CPU vs rate-limiter-flexible, ${BUSY}`,
    figure: "clientUs",
    of: sluice(BUSY),
    to: flexible(BUSY),
    goal: { atMost: 0.2 },
  },
  {
    name: `throughput of three limits vs RateLimiterUnion of three, ${BUSY}`,
    figure: "perSecond",
    of: sluice("three limits"),
    to: flexible("three limits"),
    goal: { atLeast: 5 },
  },
  {
    name: `p50 vs rate-limiter-flexible, ${ALONE}`,
    figure: "p50Ms",
    of: sluice(ALONE),
    to: flexible(ALONE),
    goal: { atMost: 1.15 },
  },
  {
    name: "server CPU of sliding-log, N = 100,000 vs N = 10",
    figure: "serverUs",
    of: log(LARGE_LOG),
    to: log(SMALL_LOG),
    goal: { atMost: 1.3 },
  },
];

/** `roundsOf` gives what the rounds found for a workload and a contender, or nothing when it was not measured. */
export function ratios(roundsOf) {
  return COMPARED.flatMap(({ name, figure, of, to, goal }) => {
    const [upper, lower] = [roundsOf(of), roundsOf(to)];
    if (upper === undefined || lower === undefined) return [];
    const rounds = upper.map((found, round) => found[figure] / lower[round][figure]);
    return [judged({ name, value: median(rounds), goal, rounds })];
  }).concat(admissionError(roundsOf({ workload: ADMISSION.name, contender: "sluice" })));
}

/** The worst round counts here: one wrong admission is an error, whatever the others did. */
function admissionError(found) {
  if (found === undefined) return [];
  const rounds = found.map(({ admitted }) => admitted - ADMISSION.quotas[0].limit);
  const value = Math.max(...rounds.map(Math.abs));
  return [judged({ name: "admission error", value, goal: { atMost: 0 }, rounds })];
}

/** Rounded only after it was judged. */
function judged({ name, value, goal, rounds }) {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  const met = value >= atLeast && value <= atMost;
  return { name, value: thousandths(value), goal, met, rounds: rounds.map(thousandths) };
}

function thousandths(number) {
  return Math.round(1000 * number) / 1000;
}
