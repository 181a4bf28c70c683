/** What was found on Redis: medians over the rounds, ratios, and where and with what it was measured. */
import { machineFacts, versionsOf } from "../machine.mjs";
import { medianRow } from "../median-row.mjs";
import { ratios } from "./ratios.mjs";
import { ADMISSION, LOADS } from "./workloads.mjs";

/** How many decimals of a figure mean something. */
const DECIMALS = { perSecond: 0, clientUs: 2, serverUs: 2, p50Ms: 4, p99Ms: 4, refused: 5, fallback: 0 };

export function createReport({ date, redis, settings, contenders, tasks, results }) {
  const libraries = contenders.map(({ library }) => library).filter((library) => library !== undefined);
  const rowsOf = ({ name }, row) =>
    tasks.flatMap(({ workload, contender }, place) =>
      workload === name ? [{ contender, ...row(results[place]) }] : [],
    );
  const roundsOf = (wanted) =>
    results[
      tasks.findIndex(
        ({ workload, contender }) => workload === wanted.workload && contender === wanted.contender,
      )
    ];
  return {
    date,
    machine: machineFacts(),
    redis,
    versions: versionsOf([...new Set([...libraries, "ioredis"])]),
    settings: { ...settings, client: "ioredis, its defaults but for what a contender names" },
    ratios: ratios(roundsOf),
    loads: LOADS.map(({ name, callers, keys, quotas, filled, pauseMs }) => ({
      name,
      callers,
      keys,
      quotas,
      ...(filled > 0 && { filled }),
      ...(pauseMs > 0 && { pauseMs }),
      rows: rowsOf({ name }, (found) => medianRow(found, DECIMALS)),
    })),
    admission: {
      processes: ADMISSION.processes,
      requests: ADMISSION.requests,
      quotas: ADMISSION.quotas,
      rows: rowsOf(ADMISSION, admissionRow),
    },
  };
}

/** The round that was furthest from the limit; all that was let in counts, also what Redis was not asked for. */
function admissionRow(found) {
  const [{ limit }] = ADMISSION.quotas;
  const rounds = found.map(({ admitted, fallback }) => ({ admitted, fallback }));
  const worst = rounds.reduce((one, other) =>
    Math.abs(other.admitted - limit) > Math.abs(one.admitted - limit) ? other : one,
  );
  return { ...worst, exact: limit, error: worst.admitted - limit, rounds };
}
