/** The command `sluice` as users run it: a process of its own, from the build. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../../sluice/test/redis-servers/until.js";

const server = fileURLToPath(new URL("../..", import.meta.url));
const root = join(server, "../..");
const MAIN = join(server, "dist/cli/main.js");

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}

/** Holds the instant at which the last build began, and is written when it is done. */
const STAMP = join(server, ".tmp/built");
const LOCK = join(server, ".tmp/building");

function isStale(): boolean {
  if (!existsSync(MAIN) || !existsSync(STAMP)) return true;
  return newestIn(join(server, "src")) > Number(readFileSync(STAMP, "utf8"));
}

/** To be called before the tests of a file. Files run side by side, and one of them builds. */
export async function buildCommand(): Promise<void> {
  mkdirSync(join(server, ".tmp"), { recursive: true });
  await until("the server is built", () => {
    if (!isStale()) return true;
    if (!take(LOCK)) return false;
    try {
      const begin = Date.now();
      execFileSync(process.execPath, [
        join(root, "node_modules/typescript/bin/tsc"),
        ...["-p", join(server, "tsconfig.build.json")],
      ]);
      writeFileSync(STAMP, String(begin));
    } finally {
      rmdirSync(LOCK);
    }
    return true;
  });
}

const LONGEST_BUILD_MS = 60_000;

/** A lock as old as no build gets was left behind by a run that was killed. */
function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > LONGEST_BUILD_MS) rmdirSync(lock);
    return false;
  }
}

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called with the process while it runs. */
  readonly meanwhile?: (child: ChildProcess) => void;
}

/** Nothing of the tests' own environment that would change what is written. */
const PLAIN = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", COLUMNS: "80" };

export function sluice(
  args: readonly string[],
  { env = {}, cwd, meanwhile }: RunOptions = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd,
      env: { ...PLAIN, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
    meanwhile?.(child);
  });
}

export async function sluiceJson(
  args: readonly string[],
  options?: RunOptions,
): Promise<{ code: number | null; json: unknown }> {
  const { code, out } = await sluice([...args, "--json"], options);
  return { code, json: JSON.parse(out) };
}
