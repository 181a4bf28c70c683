/** The processes that are measured, and what the system says of them. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const sluice = fileURLToPath(new URL("../../packages/sluice-server/bin/sluice.js", import.meta.url));

/** `sluice serve` as users start it; `lines` are those that it prints after the first. */
export async function startSluice(nodeOptions = []) {
  const args = ["serve", "--resp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--json", "--log-level", "warn"];
  const child = spawn(process.execPath, [...nodeOptions, sluice, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { resp, http } = JSON.parse((await lines.next()).value);
  return { child, lines, pid: child.pid, port: resp.split(":")[1], http: `http://${http}` };
}

export async function startRedis() {
  const port = String(20_000 + Math.floor(Math.random() * 10_000));
  const settings = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", settings, { stdio: "ignore" });
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const script = readFileSync(new URL("gcra.lua", import.meta.url), "utf8");
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      const sha = execFileSync("redis-cli", ["-p", port, "SCRIPT", "LOAD", script], options).trim();
      return { child, pid: child.pid, port, sha };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("redis-server did not start.");
}

/** In seconds, so far: its own and the system's on its behalf. */
export function cpuSeconds(pid) {
  const numbers = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(numbers[11]) + Number(numbers[12])) / 100;
}

export function residentMb(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Math.round(kilobytes / 1024);
}
