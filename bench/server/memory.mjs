/**
 * The memory of `sluice serve` over RATELIMIT calls on keys that live for hours: what the system says of the process
 * after every tenth of the calls, and what is alive on its heap at the end. Half way nearly all keys have been seen:
 * from there on what is resident must not grow.
 */
import { setTimeout as delay } from "node:timers/promises";
import { residentMb, startSluice } from "./processes.mjs";
import { redisBenchmark } from "./redis-benchmark.mjs";

const PARTS = 10;
/** One an hour, and ten at once. */
const HOURS = ["3600000000000", "36000000000000"];

/** On SIGUSR2 the process collects its garbage and tells what is left. */
const TELL = `process.on("SIGUSR2", () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ alive: heapUsed + external }));
})`;

export async function measureMemory(calls, keys) {
  const server = await startSluice([
    "--expose-gc",
    "--import",
    `data:text/javascript,${encodeURIComponent(TELL)}`,
  ]);
  const alive = async () => {
    server.child.kill("SIGUSR2");
    return JSON.parse((await server.lines.next()).value).alive;
  };
  try {
    const args = ["-r", String(keys), "-n", String(calls), "RATELIMIT", "key:__rand_int__", ...HOURS];
    const ended = redisBenchmark(server.port, args);
    const samples = [];
    while (samples.length < PARTS) {
      const counts = await countsAt(server.http);
      if (counts.calls < ((samples.length + 1) * calls) / PARTS) await delay(100);
      else samples.push({ ...counts, residentMb: residentMb(server.pid) });
    }
    await ended;
    const growth = samples.at(-1).residentMb / samples[PARTS / 2 - 1].residentMb - 1;
    return { samples, growth: Number(growth.toFixed(3)), aliveAtEndMb: mb(await alive()) };
  } finally {
    server.child.kill();
  }
}

async function countsAt(http) {
  const metrics = await (await fetch(`${http}/metrics`)).text();
  const sum = (name) =>
    [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, "gm"))].reduce(
      (total, [, count]) => total + Number(count),
      0,
    );
  return { calls: sum("sluice_ratelimit_decisions_total"), keys: sum("sluice_keys") };
}

function mb(bytes) {
  return Math.round(bytes / 2 ** 20);
}
