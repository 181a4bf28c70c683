/**
 * The memory of `sluice serve` over ten million RATELIMIT calls on a million keys that live for hours, with the default
 * bound: one redis-benchmark, what the system says of the process after every tenth of the calls, and what is alive on
 * its heap half way, when nearly all keys have been seen, and at the end.
 *
 *     npm run build && node packages/sluice-server/test/serve/benchmark/memory.mjs
 *
 * What is alive must not grow. What is resident is that and the garbage of which V8 lets some gather: every call puts
 * another state in the place of one that is old enough to wait for a full collection.
 *
 * Options: --calls 10000000, --keys 1000000. Prints JSON, and ends with 1 where memory is not flat.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "10000000" }, keys: { type: "string", default: "1000000" } },
});
const PARTS = 10;
const HOURS = ["3600000000000", "36000000000000"];
const MOST_GROWTH = 0.05;

/** On SIGUSR2 the process collects its garbage and tells what is left. */
const TELL = `process.on("SIGUSR2", () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ alive: heapUsed + external }));
})`;

const sluice = fileURLToPath(new URL("../../../bin/sluice.js", import.meta.url));
const server = spawn(
  process.execPath,
  [
    ...["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(TELL)}`, sluice, "serve"],
    ...["--resp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--json", "--log-level", "warn"],
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const lines = [];
server.stdout.setEncoding("utf8").on("data", (text) => lines.push(...text.trim().split("\n")));

try {
  const { resp, http } = JSON.parse(await line(0));
  const [, port] = resp.split(":");
  const benchmark = spawn(
    "redis-benchmark",
    [
      ...["-p", port, "-r", values.keys, "-P", "32", "-n", values.calls, "--csv"],
      ...["RATELIMIT", "key:__rand_int__", ...HOURS],
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = once(benchmark, "exit");
  const begin = performance.now();
  const samples = [];
  let aliveHalfWay;
  while (samples.length < PARTS) {
    const { calls, keys } = await countsAt(http);
    if (calls < ((samples.length + 1) * Number(values.calls)) / PARTS) await delay(100);
    else samples.push({ calls, keys, residentMb: residentMb() });
    if (samples.length === PARTS / 2) aliveHalfWay ??= await alive(1);
  }
  const seconds = (performance.now() - begin) / 1000;
  await ended;
  const aliveAtEnd = await alive(2);
  const growth = aliveAtEnd / aliveHalfWay - 1;
  const isFlat = growth <= MOST_GROWTH;
  const report = {
    callsPerSecond: Math.round(Number(values.calls) / seconds),
    samples,
    mostResidentMb: Math.max(...samples.map((sample) => sample.residentMb)),
    aliveHalfWayMb: mb(aliveHalfWay),
    aliveAtEndMb: mb(aliveAtEnd),
    growth: Number(growth.toFixed(3)),
    verdict: isFlat ? "flat" : "not flat",
  };
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = isFlat ? 0 : 1;
} finally {
  server.kill();
}

async function line(index) {
  while (lines[index] === undefined) {
    if (server.exitCode !== null) throw new Error("The server has ended.");
    await delay(20);
  }
  return lines[index];
}

/** In bytes; `index` is that of the line in which it is told. */
async function alive(index) {
  server.kill("SIGUSR2");
  return JSON.parse(await line(index)).alive;
}

async function countsAt(http) {
  const metrics = await (await fetch(`http://${http}/metrics`)).text();
  const sum = (name) =>
    [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, "gm"))].reduce(
      (total, [, count]) => total + Number(count),
      0,
    );
  return { calls: sum("sluice_ratelimit_decisions_total"), keys: sum("sluice_keys") };
}

function residentMb() {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"));
  return Math.round(kilobytes / 1024);
}

function mb(bytes) {
  return Math.round(bytes / 2 ** 20);
}
