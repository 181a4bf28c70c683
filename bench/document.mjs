/** Writes the figures of results/ into the documents, between their markers. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { whole } from "./columns.mjs";
import { httpFigures } from "./http/figures.mjs";
import { outageFigures, redisFigures } from "./redis/figures.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Which document shows what; a test holds the documents against this. */
export const FIGURES = [
  { file: "README.md", marker: "bench:memory", text: ({ memory }) => speedAndMemory(memory) },
  {
    file: "docs/reference/memory-store.md",
    marker: "bench:memory-store",
    text: ({ memory }) => memoryByKeys(memory),
  },
  { file: "docs/guide/redis.md", marker: "bench:redis", text: ({ redis }) => redisFigures(redis) },
  { file: "docs/guide/failures.md", marker: "bench:outage", text: ({ outage }) => outageFigures(outage) },
  { file: "docs/guide/http.md", marker: "bench:http", text: ({ http }) => httpFigures(http) },
];

export function readResults() {
  const names = ["memory", "redis", "outage", "http"];
  return Object.fromEntries(names.map((name) => [name, resultsOf(name)]));
}

function resultsOf(name) {
  return JSON.parse(readFileSync(at(`results/${name}.json`), "utf8"));
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
