/**
 * `sluice serve` by redis-benchmark -P 32: RATELIMIT in memory against the same GCRA as a script in redis-server, and
 * with its page open against with none; then its memory over ten million calls on a million keys.
 */
import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { machineFacts } from "../machine.mjs";
import { median } from "../median.mjs";
import { readOptions, roundsOf } from "../options.mjs";
import { saveIfWhole } from "../save.mjs";
import { measureMemory } from "./memory.mjs";
import { cpuSeconds, startRedis, startSluice } from "./processes.mjs";
import { redisBenchmark } from "./redis-benchmark.mjs";
import { openPage } from "./watch-page.mjs";

const options = readOptions();
const rounds = roundsOf(options, 7);
const calls = options.quick ? 200_000 : 1_000_000;
/** One a millisecond, and ten at once, in nanoseconds. */
const NUMBERS = ["1000000", "10000000"];
const WORKLOADS = [
  { name: "one key", flags: [], key: "key" },
  { name: "a million keys", flags: ["-r", "1000000"], key: "key:__rand_int__" },
];

const report = { date: new Date().toISOString(), machine: machineFacts(), rounds, calls, workloads: [] };
for (const workload of WORKLOADS) report.workloads.push(await compare(workload));
report.memory = await measureMemory(
  options.quick ? 1_000_000 : 10_000_000,
  options.quick ? 100_000 : 1_000_000,
);
const viewMemory = fileURLToPath(new URL("view-memory.mjs", import.meta.url));
report.page = JSON.parse(execFileSync(process.execPath, ["--expose-gc", viewMemory], { encoding: "utf8" }));
print(report);
saveIfWhole("server", report, options);

async function compare({ name, flags, key }) {
  const [sluice, redis] = await Promise.all([startSluice(), startRedis()]);
  const rateLimit = ["-n", String(calls), ...flags, "RATELIMIT", key, ...NUMBERS];
  const evalsha = ["-n", String(calls), ...flags, "EVALSHA", redis.sha, "1", key, ...NUMBERS];
  const contenders = [
    { name: "RATELIMIT, no page open", of: sluice, args: rateLimit },
    { name: "RATELIMIT, page open", of: sluice, args: rateLimit, watched: true },
    { name: "EVALSHA, redis-server", of: redis, args: evalsha },
  ];
  const results = contenders.map(() => []);
  try {
    for (const { of, args } of contenders) await redisBenchmark(of.port, args);
    for (let round = 0; round < rounds; round += 1) {
      const places = [...contenders.keys()];
      if (round % 2 === 1) places.reverse();
      for (const place of places) results[place].push(await measured(contenders[place]));
    }
  } finally {
    sluice.child.kill();
    redis.child.kill();
  }
  const rows = contenders.map((contender, place) => ({
    contender: contender.name,
    perSecond: Math.round(median(results[place].map(({ perSecond }) => perSecond))),
    serverUs: Number(median(results[place].map(({ serverUs }) => serverUs)).toFixed(2)),
    rounds: results[place],
  }));
  /** Round by round, since the machine's pace changes from one to the next. */
  const ratio = (one, other) =>
    Number(
      median(results[one].map((each, round) => each.perSecond / results[other][round].perSecond)).toFixed(3),
    );
  return { name, rows, ratios: { pageOpenToClosed: ratio(1, 0), rateLimitToEvalsha: ratio(0, 2) } };
}

async function measured({ of, args, watched }) {
  const close = watched ? await openPage(of.http) : undefined;
  const before = cpuSeconds(of.pid);
  const perSecond = await redisBenchmark(of.port, args);
  const serverUs = ((cpuSeconds(of.pid) - before) * 1e6) / calls;
  if (close !== undefined && (await close()) === 0 && calls / perSecond > 2)
    throw new Error("The page was told of nothing.");
  await delay(100);
  return { perSecond: Math.round(perSecond), serverUs: Number(serverUs.toFixed(2)) };
}

function print({ workloads, memory, page }) {
  for (const { name, rows, ratios } of workloads) {
    console.log(`\n${name}, redis-benchmark -P 32, medians of ${rounds} rounds in turns`);
    for (const { contender, perSecond, serverUs } of rows)
      console.log(
        `  ${contender.padEnd(26)}${perSecond.toLocaleString("en").padStart(9)}/s${String(serverUs).padStart(7)} µs of server CPU each`,
      );
    console.log(`  to EVALSHA ${ratios.rateLimitToEvalsha}; page open to none ${ratios.pageOpenToClosed}`);
  }
  const { samples, growth, aliveAtEndMb } = memory;
  console.log("\nmemory");
  for (const { calls, keys, residentMb } of samples)
    console.log(
      `  ${calls.toLocaleString("en").padStart(12)} calls: ${keys.toLocaleString("en")} keys, ${residentMb} MB resident`,
    );
  console.log(
    `  from half way to the end ${(100 * growth).toFixed(1)} % more; ${aliveAtEndMb} MB of it alive after a collection`,
  );
  console.log(
    `\nwhat the page shows, over an hour on a million identities, every ten minutes: ${page.heapMbEveryTenMinutes.join(", ")} MB`,
  );
}
