/** A redis-server of our own on a free port of the loopback, which a test may kill, pause and start again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureRedisServer } from "./find-redis-server.js";
import { freePort, HOST } from "./free-port.js";
import { guardFolder, type ProcessGuard } from "./process-guard.js";
import { rawCommand } from "./raw-command.js";
import { until } from "./until.js";

export interface ServerOptions {
  /** Further options as on the command line: `["--maxmemory", "2mb"]`. */
  readonly args?: readonly string[];
  /** What clients have to authenticate with, as `command` then does. */
  readonly password?: string;
  /** The text of a configuration file, which the server may rewrite; a Sentinel needs one. */
  readonly configFile?: string;
}

const ATTEMPTS = 20;

export async function startServer(options: ServerOptions = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-redis-"));
  const guard = guardFolder(folder);
  try {
    for (let attempt = 1; ; attempt++) {
      const server = new RedisServer(await freePort(), folder, guard, options);
      try {
        await server.restart();
        return server;
      } catch (error) {
        if (!server.lostItsPort() || attempt === ATTEMPTS) throw error;
      }
    }
  } catch (error) {
    await guard.release();
    throw error;
  }
}

export class RedisServer {
  readonly host = HOST;
  readonly port: number;
  readonly url: string;
  /** Removed by `stop`. */
  readonly folder: string;
  readonly #guard: ProcessGuard;
  readonly #login: readonly (readonly string[])[];
  readonly #args: readonly string[];
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(port: number, folder: string, guard: ProcessGuard, options: ServerOptions) {
    const { args = [], password, configFile } = options;
    this.port = port;
    this.url = `redis://${password === undefined ? "" : `:${encodeURIComponent(password)}@`}${HOST}:${port}`;
    this.folder = folder;
    this.#log = join(folder, "log");
    this.#guard = guard;
    this.#login = password === undefined ? [] : [["AUTH", password]];
    if (configFile !== undefined) writeFileSync(join(folder, "server.conf"), configFile);
    this.#args = [
      ...(configFile === undefined ? [] : ["server.conf"]),
      ...["--bind", HOST, "--port", `${port}`, "--save", "", "--appendonly", "no"],
      // A replica's first synchronisation would otherwise wait five seconds for others to join it.
      ...["--repl-diskless-sync-delay", "0"],
      ...(password === undefined ? [] : ["--requirepass", password, "--masterauth", password]),
      ...args,
    ];
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`The server on port ${this.port} is not running.`);
    return pid;
  }

  /** The reply, decoded: strings, numbers, null and arrays of them; an error reply is thrown. */
  command(...args: readonly string[]): Promise<unknown> {
    return rawCommand(this.port, [...this.#login, args]);
  }

  /** Freezes the process: connections stay open and nothing is answered. */
  pause(): void {
    process.kill(this.pid, "SIGSTOP");
  }

  resume(): void {
    process.kill(this.pid, "SIGCONT");
  }

  /** Ends the process at once, as a crash would; its files and its port stay for `restart`. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.ref();
    child.kill("SIGKILL");
    await ended;
  }

  /** Starts the server again, on the same port, with the same options and in the same folder. */
  async restart(): Promise<void> {
    await this.kill();
    const child = this.#spawn();
    await until(
      `the server on port ${this.port} answers`,
      async () => child !== this.#child || this.#answers(),
    );
    if (child !== this.#child)
      throw new Error(`The server on port ${this.port} ended early:\n${this.#logTail()}`);
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.#guard.release();
  }

  lostItsPort(): boolean {
    return /Address already in use|Failed listening/i.test(this.#logTail());
  }

  #spawn(): ChildProcess {
    const log = openSync(this.#log, "w");
    const child = spawn(ensureRedisServer(), this.#args, { cwd: this.folder, stdio: ["ignore", log, log] });
    closeSync(log);
    child.unref();
    this.#child = child;
    this.#guard.watch(child.pid);
    child.once("error", (error) => {
      appendFileSync(this.#log, error.message);
      this.#ended();
    });
    child.once("exit", () => this.#ended());
    return child;
  }

  #ended(): void {
    this.#child = undefined;
    this.#guard.watch(undefined);
  }

  /** Whether it is this process that answers, not another one that took the port first. */
  async #answers(): Promise<boolean> {
    try {
      await this.command("PING");
      return new RegExp(`process_id:${this.pid}\\b`).test(String(await this.command("INFO", "server")));
    } catch (error) {
      // Access rules of the test's own, which say that the server is up.
      if (error instanceof Error && /^(NOAUTH|NOPERM)/.test(error.message)) return true;
      throw error;
    }
  }

  #logTail(): string {
    return readFileSync(this.#log, "utf8").split("\n").slice(-20).join("\n");
  }
}
