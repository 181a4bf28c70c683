/** A Redis server of the benchmark's own: on a free port, in a folder that is removed, saving nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "./connect.mjs";

export async function startServer() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const args = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const server = spawn("redis-server", args.map(String), { stdio: "ignore" });
  const ended = once(server, "exit");
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const endAtOnce = () => {
    server.kill("SIGKILL");
    removeFolder();
  };
  process.once("exit", endAtOnce);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

  await Promise.race([answering(port), ended.then(endedEarly, notStarted)]);
  return {
    port,
    /** To have it hang, and go on. */
    signal: (name) => server.kill(name),
    async stop() {
      process.removeListener("exit", endAtOnce);
      server.kill("SIGKILL");
      await ended;
      removeFolder();
    },
  };
}

/** The client tries again until the server is there. */
async function answering(port) {
  const client = connect(port);
  await client.ping();
  client.disconnect();
}

function endedEarly([code]) {
  throw new Error(`redis-server ended with ${code} before it answered.`);
}

function notStarted(cause) {
  const reason = cause.code === "ENOENT" ? "was not found on the PATH; install Redis" : "cannot be started";
  throw new Error(`redis-server ${reason}.`, { cause });
}

async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  return port;
}
