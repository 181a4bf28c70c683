/** `sluice serve` as users run it: a process from the build, which a test asks, signals and reads. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guardFolder, type ProcessGuard } from "../../../sluice/test/redis-servers/process-guard.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { RawClient } from "../resp/raw-client.js";

export const SLUICE = fileURLToPath(new URL("../../bin/sluice.js", import.meta.url));
export const ANY_PORTS = ["--resp", "127.0.0.1:0", "--http", "127.0.0.1:0"];

export interface StartOptions {
  /** The text of a configuration, which is written to a file of its own. */
  readonly config?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A file that standard error goes to, which is then not read. */
  readonly logTo?: string;
}

/** A line of the log. */
export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly msg: string;
}

export class SluiceProcess implements AsyncDisposable {
  out = "";
  err = "";
  /** The exit code, or else the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly file: string;
  readonly #child: ChildProcess;
  readonly #guard: ProcessGuard;

  constructor({ config, args = ANY_PORTS, env = {}, logTo }: StartOptions = {}) {
    const folder = mkdtempSync(join(tmpdir(), "sluice-serve-"));
    this.#guard = guardFolder(folder);
    this.file = join(folder, "sluice.yaml");
    if (config !== undefined) writeFileSync(this.file, config);
    const configured = config === undefined ? [] : ["--config", this.file];
    const log = logTo === undefined ? undefined : openSync(logTo, "w");
    this.#child = spawn(process.execPath, [SLUICE, "serve", ...configured, ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", ...env },
      stdio: ["ignore", "pipe", log ?? "pipe"],
    });
    if (log !== undefined) closeSync(log);
    this.#guard.watch(this.#child.pid);
    this.#child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.out += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.err += text;
    });
    this.ended = once(this.#child, "close").then(([code, signal]) => {
      this.#guard.watch(undefined);
      return code ?? signal;
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until it has printed this on standard output. */
  async printed(text: string): Promise<void> {
    let hasEnded = false;
    void this.ended.then(() => {
      hasEnded = true;
    });
    await until(`it prints ${text}`, () => this.out.includes(text) || hasEnded);
    if (!this.out.includes(text)) throw new Error(`It ended before it printed ${text}: ${this.err}`);
  }

  /** What it has logged. Throws on a line that is no JSON. */
  logged(message = ""): readonly LogLine[] {
    const lines = this.err.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg.includes(message));
  }

  /** Waits until it has logged such a message so many times. */
  async heard(message: string, times = 1): Promise<LogLine> {
    await until(`it logs "${message}"`, () => this.logged(message).length >= times);
    return this.logged(message)[times - 1]!;
  }

  /** Puts another configuration in the place of the file, as an editor does. */
  write(config: string): void {
    writeFileSync(`${this.file}.new`, config);
    renameSync(`${this.file}.new`, this.file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
    await this.#guard.release();
  }
}

/** A server that listens, on ports of its own. */
export class Sluice extends SluiceProcess {
  respPort = 0;
  httpPort = 0;

  /** The reply of RESP. */
  async ask(...args: readonly string[]): Promise<unknown> {
    using client = new RawClient(this.respPort);
    return await client.ask(...args);
  }

  fetch(path: string, options: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.httpPort}${path}`, options);
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }
}

export async function startSluice({ args = [], ...options }: StartOptions = {}): Promise<Sluice> {
  const server = new Sluice({ ...options, args: [...ANY_PORTS, "--json", ...args] });
  try {
    await server.printed("\n");
    const { resp, http } = JSON.parse(server.out) as { readonly resp: string; readonly http: string };
    server.respPort = portOf(resp);
    server.httpPort = portOf(http);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

export function portOf(hostPort: string): number {
  return Number(hostPort.slice(hostPort.lastIndexOf(":") + 1));
}
