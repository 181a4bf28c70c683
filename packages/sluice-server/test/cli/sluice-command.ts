/** The command `sluice` as users run it: a process of its own, from the build. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

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
