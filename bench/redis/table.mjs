/** The results on Redis as text: a table for each load, admission, the ratios, and notes. */
import { columns, whole } from "../columns.mjs";
import { contenderNamed } from "./contenders.mjs";
import { loadTitle } from "./workloads.mjs";

/** More than this of refusals is said, since a contender that refuses does other work. */
const FEW_REFUSED = 0.001;

export function reportText({ date, machine, redis, versions, loads, admission, ratios }) {
  const { cpu, cores, memoryGiB, system, node } = machine;
  const used = Object.entries({ Redis: redis.version, ...versions }).map((entry) => entry.join(" "));
  const parts = [
    `${date}; ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`,
    used.join(", "),
    ...loads.filter(({ rows }) => rows.length > 0).map(loadText),
    ...(admission.rows.length > 0 ? [admissionText(admission)] : []),
    ...(ratios.length > 0 ? [`Ratios\n\n${ratioTable(ratios)}`] : []),
    notes([...loads, admission].flatMap(({ rows }) => rows)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function loadText(load) {
  const { rows } = load;
  const lines = rows.flatMap(({ contender, refused, rounds }) => {
    const fallback = rounds.reduce((sum, round) => sum + round.fallback, 0);
    return [
      ...(refused > FEW_REFUSED ? [`${contender}: ${(100 * refused).toFixed(1)} % were refused.`] : []),
      ...(fallback > 0 ? [`${contender}: ${whole(fallback)} were answered without Redis; not counted.`] : []),
    ];
  });
  return [loadTitle(load), "", loadTable(rows), ...lines].join("\n");
}

function loadTable(rows) {
  return columns(
    ["contender", "decisions/s", "lowest", "highest", "client µs", "server µs", "p50 ms", "p99 ms"],
    rows.map(({ contender, perSecond, rounds, clientUs, serverUs, p50Ms, p99Ms }) => [
      contender,
      whole(perSecond),
      whole(Math.min(...rounds.map((round) => round.perSecond))),
      whole(Math.max(...rounds.map((round) => round.perSecond))),
      clientUs.toFixed(1),
      serverUs.toFixed(1),
      p50Ms.toFixed(3),
      p99Ms.toFixed(3),
    ]),
  );
}

function admissionText({ processes, requests, quotas: [{ limit }], rows }) {
  return [
    `admission (${processes} processes, ${whole(requests)} requests each at once, a limit of ${whole(limit)})`,
    "",
    columns(
      ["contender", "admitted", "exact", "error", "without Redis"],
      rows.map(({ contender, admitted, exact, error, fallback }) => [
        contender,
        whole(admitted),
        whole(exact),
        whole(error),
        whole(fallback),
      ]),
    ),
  ].join("\n");
}

function ratioTable(ratios) {
  return columns(
    ["ratio", "value", "goal", "met"],
    ratios.map(({ name, value, goal, met }) => [name, String(value), goalText(goal), met ? "yes" : "no"]),
  );
}

function goalText({ atLeast, atMost }) {
  return atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
}

function notes(rows) {
  const measured = [...new Set(rows.map(({ contender }) => contender))].map(contenderNamed);
  return [
    "Each figure is the median of the rounds; lowest and highest are the rounds' own. Processor time and latency",
    "are for one decision. A ratio is the median of the rounds' ratios; admission shows the worst round.",
    ...measured.filter(({ note }) => note !== undefined).map(({ name, note }) => `- ${name}: ${note}`),
  ].join("\n");
}
