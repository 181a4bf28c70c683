/** The programs that come with redis-server: redis-cli and redis-benchmark. */
import { execFile } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { ensureRedisServer } from "../../../sluice/test/redis-servers/find-redis-server.js";

const run = promisify(execFile);

function pathOf(tool: "cli" | "benchmark"): string {
  const server = ensureRedisServer();
  return join(dirname(server), basename(server).replace("server", tool));
}

/** What it prints, line by line. */
export async function redisCli(port: number, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(pathOf("cli"), ["-p", String(port), ...args]);
  return stdout.trimEnd().split("\n");
}

/** What it prints, errors included. */
export async function redisBenchmark(port: number, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(pathOf("benchmark"), ["-p", String(port), ...args]);
  return stdout + stderr;
}
