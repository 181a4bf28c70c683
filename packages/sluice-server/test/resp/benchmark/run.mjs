/**
 * RATELIMIT on the memory store against the same GCRA as a script in redis-server, by redis-benchmark with the same
 * flags, in turns; then the server's memory over many calls on a million keys.
 *
 *     npm run build && npm run build -w sluice-server && node packages/sluice-server/test/resp/benchmark/run.mjs
 *
 * Options: --rounds 5, --calls 1000000, --memory-calls 10000000.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    calls: { type: "string", default: "1000000" },
    "memory-calls": { type: "string", default: "10000000" },
  },
});
const NUMBERS = ["1000000", "10000000"];
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const sluice = spawn(process.execPath, ["--expose-gc", here("server.mjs")], {
  stdio: ["pipe", "pipe", "inherit"],
});
const lines = createInterface({ input: sluice.stdout })[Symbol.asyncIterator]();
const sluicePort = (await lines.next()).value;

const redisPort = String(20_000 + Math.floor(Math.random() * 10_000));
const redis = spawn("redis-server", ["--port", redisPort, "--save", "", "--appendonly", "no"], {
  stdio: "ignore",
});
const stopped = Promise.all([once(sluice, "exit"), once(redis, "exit")]);

try {
  const sha = await loadScript();
  const contenders = [
    { name: "RATELIMIT, sluice in memory", port: sluicePort, pid: sluice.pid, command: ["RATELIMIT"] },
    { name: "EVALSHA, redis-server", port: redisPort, pid: redis.pid, command: ["EVALSHA", sha, "1"] },
  ];
  const workloads = [
    { name: "one key", flags: [], key: "key" },
    { name: "a million keys", flags: ["-r", "1000000"], key: "key:__rand_int__" },
  ];
  for (const { name, flags, key } of workloads) {
    const rates = contenders.map(() => []);
    const costs = contenders.map(() => []);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      contenders.forEach(({ port, pid, command }, index) => {
        const before = cpuSeconds(pid);
        rates[index].push(benchmark(port, [...flags, "-n", values.calls, ...command, key, ...NUMBERS]));
        costs[index].push(((cpuSeconds(pid) - before) * 1e6) / Number(values.calls));
      });
    }
    console.log(`\n${name}, redis-benchmark -P 32, medians of ${values.rounds} rounds in turns`);
    contenders.forEach((contender, index) => {
      const rate = Math.round(median(rates[index])).toLocaleString("en");
      const cost = median(costs[index]).toFixed(2);
      console.log(
        `  ${contender.name.padEnd(30)}${rate.padStart(10)}/s${cost.padStart(8)} µs of server CPU each`,
      );
    });
  }

  console.log("\nmemory, a million keys that live for hours");
  const step = Number(values["memory-calls"]) / 10;
  for (let done = step; done <= Number(values["memory-calls"]); done += step) {
    const hours = ["3600000000000", "36000000000000"];
    benchmark(sluicePort, ["-r", "1000000", "-n", String(step), "RATELIMIT", "key:__rand_int__", ...hours]);
    sluice.stdin.write("\n");
    const { keys, rss, live } = JSON.parse((await lines.next()).value);
    console.log(
      `  ${done.toLocaleString("en").padStart(12)} calls: ${keys} keys, ${mb(live)} MB alive, ${mb(rss)} MB resident`,
    );
  }
} finally {
  sluice.stdin.end();
  redis.kill();
  await stopped;
}

async function loadScript() {
  const script = readFileSync(here("gcra.lua"), "utf8");
  for (;;) {
    try {
      const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
      return execFileSync("redis-cli", ["-p", redisPort, "SCRIPT", "LOAD", script], options).trim();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Requests per second. */
function benchmark(port, args) {
  const output = execFileSync("redis-benchmark", ["-p", port, "-P", "32", "--csv", ...args], {
    encoding: "utf8",
  });
  return Number(output.trim().split("\n").at(-1).split('"')[3]);
}

/** Of a process so far, its own and the system's on its behalf. */
function cpuSeconds(pid) {
  const numbers = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(numbers[11]) + Number(numbers[12])) / 100;
}

function mb(bytes) {
  return Math.round(bytes / 2 ** 20);
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
