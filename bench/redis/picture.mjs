/** Draws docs/images/redis-benchmark.svg from results/redis.json: `node bench/redis/picture.mjs`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { line, picture, rect, text, WIDTH } from "../../scripts/pictures/svg.mjs";
import { whole } from "../columns.mjs";
import { rowAmong, rowsOf } from "./results.mjs";
import { CALLERS, crowdName, MANY_KEYS } from "./workloads.mjs";

const MARGIN = 28;
const HEADING_Y = 36;
const TITLES_Y = 66;
const GROUPS_Y = 78;
const GROUP_HEAD = 30;
const ROW = 19;
const BAR = 11;
const GROUP_GAP = 10;
/** Where bars begin, how long the longest is, and what is written after it fits before the next column. */
const SPEED = { left: 262, length: 280, title: "decisions per second", figure: "perSecond", show: whole };
const CLIENT = {
  left: 632,
  length: 140,
  title: "client CPU, µs per decision",
  figure: "clientUs",
  show: (us) => us.toFixed(1),
};
const COLUMNS = [SPEED, CLIENT];

export function draw(results) {
  const names = rowsOf(results, crowdName(CALLERS[0], MANY_KEYS)).map(({ contender }) => contender);
  const order = ["sluice", ...names.filter((name) => name !== "sluice")];
  const groups = CALLERS.map((callers) => ({
    callers,
    rows: order.map((name) => rowAmong(results, callers, name)),
  }));
  const height = GROUP_HEAD + ROW * order.length + GROUP_GAP;
  const most = (figure) => Math.max(...groups.flatMap(({ rows }) => rows.map((row) => row[figure])));
  const scales = COLUMNS.map((column) => ({ ...column, most: most(column.figure) }));
  return picture(
    {
      title: `Decisions per second on Redis, and client CPU for each, on ${whole(MANY_KEYS)} keys`,
      description: groups.map(described).join(" "),
      height: GROUPS_Y + height * groups.length + 14,
    },
    [heading(results), groups.map((group, index) => drawGroup(group, GROUPS_Y + height * index, scales))],
  );
}

function described({ callers, rows }) {
  const speeds = rows.map(({ contender, perSecond }) => `${contender} ${whole(perSecond)}`);
  return `${callers === 1 ? "1 caller" : `${whole(callers)} callers`}: ${speeds.join(", ")}.`;
}

function heading({ redis, versions, machine }) {
  return [
    text(MARGIN, HEADING_Y, "", [
      { words: `On Redis, ${whole(MANY_KEYS)} keys`, classes: "strong large ink" },
      {
        words: `Redis ${redis.version}, ioredis ${versions.ioredis}, Node ${machine.node}, ${machine.cores} cores`,
        classes: "soft",
        dx: 14,
      },
    ]),
    COLUMNS.map(({ left, title }) => text(left, TITLES_Y, "soft", title)),
  ];
}

function drawGroup({ callers, rows }, top, scales) {
  return [
    line(MARGIN, top, WIDTH - MARGIN, top, "line grid-line"),
    text(MARGIN, top + 20, "strong ink", callers === 1 ? "1 caller" : `${whole(callers)} callers at once`),
    rows.map((row, index) => drawRow(row, top + GROUP_HEAD + ROW * index, scales)),
  ];
}

function drawRow(row, top, scales) {
  const ours = row.contender === "sluice";
  const ink = ours ? "strong ink" : "soft";
  const baseline = top + BAR - 1.5;
  return [
    text(MARGIN, baseline, ink, row.contender),
    scales.map(({ left, length, most, figure, show }) => {
      const width = Math.max(1, (length * row[figure]) / most);
      return [
        rect(left, top, width, BAR, ours ? "blue" : "pale", 2),
        text(left + width + 7, baseline, `small ${ink}`, show(row[figure])),
      ];
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = JSON.parse(readFileSync(new URL("../results/redis.json", import.meta.url), "utf8"));
  const file = new URL("../../docs/images/redis-benchmark.svg", import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, draw(results));
  console.log(`Drawn: ${fileURLToPath(file)}`);
}
