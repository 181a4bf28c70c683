/** An nginx of our own, in the foreground and in a folder of its own, on ports of the loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../sluice/test/redis-servers/free-port.js";
import { guardFolder } from "../../../sluice/test/redis-servers/process-guard.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { ensureProgram, type SystemProgram } from "../../../sluice/test/system-package.js";

const NGINX: SystemProgram = {
  programs: ["nginx"],
  variable: "NGINX",
  // Not on everybody's PATH.
  folders: ["/usr/sbin", "/usr/local/sbin"],
  packages: {
    "apt-get": ["nginx-light", "nginx"],
    brew: ["nginx"],
    dnf: ["nginx"],
    yum: ["nginx"],
    apk: ["nginx"],
    pacman: ["nginx"],
  },
};

export interface Nginx {
  readonly port: number;
  /** What it has written to its error log. */
  log(): string;
  stop(): Promise<void>;
}

const ATTEMPTS = 5;

/** What stands in `http { }`, with the port to listen on. */
export async function startNginx(configure: (port: number) => string): Promise<Nginx> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await start(port, configure(port));
    } catch (error) {
      if (attempt === ATTEMPTS || !String(error).includes("Address already in use")) throw error;
    }
  }
}

async function start(port: number, configuration: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-nginx-"));
  const guard = guardFolder(folder);
  writeFileSync(join(folder, "nginx.conf"), wholeOf(configuration));
  const logFile = join(folder, "log");
  const output = openSync(logFile, "w");
  const child = spawn(ensureProgram(NGINX), ["-p", folder, "-c", "nginx.conf", "-e", "stderr"], {
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  guard.watch(child.pid);
  const log = () => readFileSync(logFile, "utf8");
  try {
    const hasFailed = () => hasEnded(child) || log().includes("bind() failed");
    await until("nginx listens", async () => hasFailed() || (await listens(port)));
    if (hasFailed()) throw new Error(`nginx could not start:\n${log()}`);
  } catch (error) {
    await guard.release();
    throw error;
  }
  return {
    port,
    log,
    async stop() {
      const ended = once(child, "exit");
      if (!hasEnded(child)) {
        child.kill("SIGTERM");
        await ended;
      }
      guard.watch(undefined);
      await guard.release();
    },
  };
}

/** One process, so that nothing is left when it ends. */
function wholeOf(configuration: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr error;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join("\n  ")}
${configuration}
}
`;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Without a request, which would count. */
async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } finally {
    socket.destroy();
  }
}
