/** How Sluice compares with each peer on the same framework, and what we have set ourselves. */
import { median } from "../median.mjs";
import { WORKLOADS } from "./workloads.mjs";

const COMPARED = [
  ["express + sluice", "express + express-rate-limit"],
  ["express + sluice", "express + express-rate-limit draft-7"],
  ["express + sluice fixed-window", "express + express-rate-limit"],
  ["fastify + sluice", "fastify + @fastify/rate-limit"],
  ["fastify + sluice fixed-window", "fastify + @fastify/rate-limit"],
];

const GOAL = 1;

/**
 * The median of the rounds' ratios, each between measurements of the same round. That of processor time says the same
 * where the machine has other things to do.
 */
export function ratios(roundsOf) {
  return WORKLOADS.flatMap(({ name: workload }) =>
    COMPARED.flatMap(([ours, theirs]) => {
      const [one, other] = [roundsOf(workload, ours), roundsOf(workload, theirs)];
      if (one === undefined || other === undefined) return [];
      const times = one.map(({ perSecond }, round) => perSecond / other[round].perSecond);
      const byProcessor = one.map(({ serverUs }, round) => other[round].serverUs / serverUs);
      const value = median(times);
      return [
        {
          workload,
          ours,
          theirs,
          value: hundredths(value),
          goal: GOAL,
          met: value >= GOAL,
          byProcessor: hundredths(median(byProcessor)),
          rounds: times.map(hundredths),
        },
      ];
    }),
  );
}

function hundredths(number) {
  return Math.round(100 * number) / 100;
}
