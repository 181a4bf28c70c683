/** What was found: medians over the rounds, ratios, and where and with what it was measured. */
import { baselineOf, CONTENDERS } from "./contenders.mjs";
import { machineFacts, versionsOf } from "./machine.mjs";
import { median } from "./median.mjs";
import { MEMORY_WORKLOAD, SPEED_WORKLOADS } from "./workloads.mjs";

export function createReport({ date, settings, contenders, tasks, results }) {
  const libraries = new Set(
    contenders.map(({ library }) => library).filter((library) => library !== undefined),
  );
  const found = tasks.map(({ workload, contender }, place) => ({
    workload,
    contender,
    rounds: results[place],
  }));
  const of = (workload) => found.filter((entry) => entry.workload === workload.name);
  return {
    date,
    machine: machineFacts(),
    versions: versionsOf([...libraries]),
    settings,
    speed: SPEED_WORKLOADS.map((workload) => {
      const { name, title, quota, keys } = workload;
      const rows = withRatios(of(workload).map(speedRow), ({ perSecond }) => perSecond);
      return { name, title, quota, keys, rows, threeToOne: threeToOne(rows) };
    }),
    memory: {
      quota: MEMORY_WORKLOAD.quota,
      rows: withRatios(
        of(MEMORY_WORKLOAD).map((entry) => memoryRow(entry, settings.sizes)),
        ({ bytesPerKey }) => bytesPerKey[settings.sizes.at(-1)],
      ),
    },
  };
}

function speedRow({ contender, rounds }) {
  const perSecond = rounds.map((result) => Math.round(result.perSecond));
  return { contender, perSecond: median(perSecond), rounds: perSecond };
}

function memoryRow({ contender, rounds }, sizes) {
  const at = (size) => Math.round(10 * median(rounds.map(({ bytesPerKey }) => bytesPerKey[size]))) / 10;
  return { contender, bytesPerKey: Object.fromEntries(sizes.map((size) => [size, at(size)])) };
}

/** A row whose baseline was not measured gets no ratio. */
function withRatios(rows, figure) {
  return rows.map((row) => {
    const baseline = baselineOf(CONTENDERS.find(({ name }) => name === row.contender));
    const against = rows.find(({ contender }) => contender === baseline?.name);
    return against === undefined ? row : { ...row, ratio: hundredths(figure(row) / figure(against)) };
  });
}

/** Where a contender was measured with one and with three limits: how many times as long three take. */
function threeToOne(rows) {
  return rows.flatMap(({ contender, perSecond }) => {
    const three = rows.find((row) => row.contender === `three ${contender}`);
    return three === undefined ? [] : [{ contender, times: hundredths(perSecond / three.perSecond) }];
  });
}

function hundredths(number) {
  return Math.round(100 * number) / 100;
}
