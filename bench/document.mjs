/** Writes the figures of results/ into the documents, between their markers. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { whole } from "./columns.mjs";
import { redisFigures } from "./redis/figures.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const MEMORY = [
  { file: "README.md", marker: "bench:memory", text: ({ memory }) => speedAndMemory(memory) },
  {
    file: "docs/reference/memory-store.md",
    marker: "bench:memory-store",
    text: ({ memory }) => memoryByKeys(memory),
  },
];
const REDIS = [
  { file: "docs/guide/redis.md", marker: "bench:redis", text: ({ redis }) => redisFigures(redis) },
];

/** Which document shows what; a test holds the documents against this. */
export const FIGURES = [...MEMORY, ...REDIS.filter(isAskedFor)];

export function readResults() {
  return { memory: resultsOf("memory"), redis: resultsOf("redis") };
}

/** Nothing before the first full run. */
function resultsOf(name) {
  const path = at(`results/${name}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Nothing is shown before there are results, nor in a page that is not there or has no place for them. */
function isAskedFor({ file, marker }) {
  const path = at(`../${file}`);
  return (
    resultsOf("redis") !== undefined &&
    existsSync(path) &&
    readFileSync(path, "utf8").includes(`<!-- ${marker} -->`)
  );
}

/** The document with the figures in their place. */
export function withFigures(document, { marker, text }, results) {
  const [open, close] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [before, rest] = document.split(open);
  const [, after] = rest.split(close);
  return `${before}${open}\n\n${text(results)}\n\n${close}${after}`;
}

function onWhat({ machine, versions, settings }) {
  return (
    `Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores; medians of ${settings.rounds} rounds, each in a ` +
    `fresh process; rate-limiter-flexible ${versions["rate-limiter-flexible"]}, express-rate-limit ` +
    `${versions["express-rate-limit"]}, limiter ${versions.limiter}.`
  );
}

function speedAndMemory(results) {
  const { rows } = results.speed.find(({ name }) => name === "day");
  const bytes = Object.fromEntries(
    results.memory.rows.map(({ contender, bytesPerKey }) => [contender, bytesPerKey]),
  );
  const three = results.speed.find(({ name }) => name === "three-limits").rows;
  const speedOf = (name) => three.find(({ contender }) => contender === name).perSecond;
  const lines = rows
    .filter(({ contender }) => contender !== "(no limiter)")
    .map(({ contender, perSecond, ratio }) => {
      const weight = bytes[contender] === undefined ? "–" : whole(bytes[contender]["200000"]);
      return `| ${contender} | ${whole(perSecond)} | ${ratio.toFixed(2)} | ${weight} |`;
    });
  return [
    "Memory decisions awaited one by one, 10,000 keys, 100,000 per day; the ratio is to rate-limiter-flexible.",
    "",
    "| | decisions/s | ratio | bytes per key |",
    "|---|--:|--:|--:|",
    ...lines,
    "",
    `Three gcra limits on one key take ${(speedOf("gcra") / speedOf("three gcra")).toFixed(2)} times as long as one; ` +
      `rate-limiter-flexible's union of three takes ` +
      `${(speedOf("rate-limiter-flexible") / speedOf("three rate-limiter-flexible")).toFixed(2)} times as long.`,
    "",
    onWhat(results),
  ].join("\n");
}

function memoryByKeys(results) {
  const sizes = results.settings.sizes.map(String);
  return [
    "Bytes per key, each charged once, with names such as `user-12345`:",
    "",
    `| | ${sizes.map((size) => `${whole(size)} keys`).join(" | ")} |`,
    `|---|${sizes.map(() => "--:").join("|")}|`,
    ...results.memory.rows.map(
      ({ contender, bytesPerKey }) =>
        `| ${contender} | ${sizes.map((size) => whole(bytesPerKey[size])).join(" | ")} |`,
    ),
    "",
    onWhat(results),
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const figure of FIGURES) {
    const path = at(`../${figure.file}`);
    writeFileSync(path, withFigures(readFileSync(path, "utf8"), figure, readResults()));
    console.log(`${figure.file}: ${figure.marker}`);
  }
}
