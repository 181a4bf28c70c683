/** The results as text: a table for each workload, and the notes that belong to them. */
import { columns, whole } from "./columns.mjs";
import { CONTENDERS } from "./contenders.mjs";

export function reportText({ date, machine, versions, settings, speed, memory }) {
  const { cpu, cores, memoryGiB, system, node } = machine;
  const parts = [
    `${date}; ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`,
    Object.entries(versions)
      .map((entry) => entry.join(" "))
      .join(", "),
    ...speed.filter(({ rows }) => rows.length > 0).map(speedText),
  ];
  if (memory.rows.length > 0) {
    parts.push(
      `Bytes per key, by number of keys, each charged once\n\n${memoryTable(memory.rows, settings.sizes)}`,
    );
  }
  return `${[...parts, notes(speed, memory)].join("\n\n")}\n`;
}

function speedText({ title, rows, threeToOne }) {
  const lines = threeToOne.map(
    ({ contender, times }) => `${label(contender)}: three limits take ${times} times as long as one.`,
  );
  return [
    `Decisions per second: ${title}\n`,
    speedTable(rows),
    ...(lines.length > 0 ? ["", ...lines] : []),
  ].join("\n");
}

function speedTable(rows) {
  return columns(
    ["contender", "decisions/s", "lowest", "highest", "ns each", "vs r-l-f"],
    rows.map(({ contender, perSecond, rounds, ratio }) => [
      label(contender),
      whole(perSecond),
      whole(Math.min(...rounds)),
      whole(Math.max(...rounds)),
      whole(1e9 / perSecond),
      times(ratio),
    ]),
  );
}

function memoryTable(rows, sizes) {
  return columns(
    ["contender", ...sizes.map((size) => whole(size)), "vs r-l-f"],
    rows.map(({ contender, bytesPerKey, ratio }) => [
      label(contender),
      ...sizes.map((size) => whole(bytesPerKey[size])),
      times(ratio),
    ]),
  );
}

function notes(speed, memory) {
  const rows = [...speed, memory].flatMap((part) => part.rows);
  const measured = CONTENDERS.filter(({ name }) => rows.some(({ contender }) => contender === name));
  return [
    "vs r-l-f: against rate-limiter-flexible with the same number of limits; above 1 is faster, or larger.",
    "Each figure is the median of the rounds; lowest and highest are the rounds' own.",
    ...measured.filter(({ note }) => note !== undefined).map(({ name, note }) => `- ${name}: ${note}`),
  ].join("\n");
}

function label(name) {
  return CONTENDERS.find((contender) => contender.name === name).library === "sluice"
    ? `sluice ${name}`
    : name;
}

function times(ratio) {
  return ratio === undefined ? "" : `${ratio.toFixed(2)}x`;
}
