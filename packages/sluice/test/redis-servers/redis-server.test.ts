/** One server in the hands of a test: its replies, its failures, its return, and its end with the test's process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { freePort } from "./free-port.js";
import { rawCommand } from "./raw-command.js";
import { type RedisServer, type ServerOptions, startServer } from "./redis-server.js";
import { until } from "./until.js";

vi.mock("./free-port.js", async (importActual) => {
  const actual = await importActual<typeof import("./free-port.js")>();
  return { ...actual, freePort: vi.fn(actual.freePort) };
});

const started: RedisServer[] = [];

async function start(options?: ServerOptions): Promise<RedisServer> {
  const server = await startServer(options);
  started.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

describe("command", () => {
  test.each([
    ["a status", ["SET", "key", "ü\r\n€"], "OK"],
    ["a string", ["EVAL", "return ARGV[1]", "0", "ü\r\n€"], "ü\r\n€"],
    ["nothing", ["GET", "missing"], null],
    ["a number", ["EVAL", "return -7", "0"], -7],
    ["a list", ["EVAL", "return {1, {'a', {}}, false}", "0"], [1, ["a", []], null]],
    ["a long string", ["EVAL", "return string.rep('x', 1000000)", "0"], "x".repeat(1_000_000)],
  ])("returns %s", async (_, args, reply) => {
    expect(await (await start()).command(...args)).toEqual(reply);
  });

  test("throws an error reply", async () => {
    await expect((await start()).command("EVALSHA", "0".repeat(40), "0")).rejects.toThrow("NOSCRIPT");
  });

  test("logs in where a password is set", async () => {
    const server = await start({ password: "secret" });
    expect(await server.command("PING")).toBe("PONG");
    await expect(rawCommand(server.port, [["PING"]])).rejects.toThrow("NOAUTH");
  });
});

test("kill ends the server, and restart brings it back to its port with its options and files", async () => {
  const server = await start({ args: ["--appendonly", "yes", "--maxmemory", "12345678"] });
  const { pid, port } = server;
  await server.command("SET", "key", "value");
  await server.kill();
  await expect(server.command("PING")).rejects.toThrow("ECONNREFUSED");
  await server.restart();
  expect([server.port, server.pid === pid]).toEqual([port, false]);
  expect(await server.command("GET", "key")).toBe("value");
  expect(await server.command("CONFIG", "GET", "maxmemory")).toEqual(["maxmemory", "12345678"]);
});

test("a paused server answers only after resume", async () => {
  const server = await start();
  const order: string[] = [];
  server.pause();
  const reply = server.command("PING").then(() => order.push("answered"));
  const other = await start();
  await other.command("PING");
  order.push("resumed");
  server.resume();
  await reply;
  expect(order).toEqual(["resumed", "answered"]);
});

test("a paused server can be stopped", async () => {
  const server = await start();
  server.pause();
  await server.stop();
  expect(existsSync(server.folder)).toBe(false);
});

describe("a port that is taken meanwhile", () => {
  test("by another server that answers is given up for another one", async () => {
    const first = await start();
    vi.mocked(freePort).mockResolvedValueOnce(first.port);
    const second = await start();
    expect(second.port).not.toBe(first.port);
  });

  test("as the bus port of a Cluster node is given up as well", async () => {
    const port = await freePort();
    const listener = createServer().listen(port + 10_000, "127.0.0.1");
    await once(listener, "listening");
    vi.mocked(freePort).mockResolvedValueOnce(port);
    const server = await start({ args: ["--cluster-enabled", "yes"] });
    listener.close();
    expect(server.port).not.toBe(port);
  });
});

test("a server that does not start says why", async () => {
  await expect(start({ args: ["--no-such-option", "1"] })).rejects.toThrow(/ended early:.*no-such-option/s);
});

/** Starts a server and stays. */
const STARTER = `
import { runnerImport } from "vite";
const { module } = await runnerImport(process.argv[1], { configFile: false });
const { port, folder } = await module.startServer();
process.stdout.write(JSON.stringify({ port, folder }));
setInterval(() => {}, 1000);
`;

test.each(["SIGKILL", "SIGTERM"] as const)("a server ends with a process ended by %s", async (signal) => {
  const module = fileURLToPath(new URL("./redis-server.ts", import.meta.url));
  const starter = spawn(process.execPath, ["--input-type=module", "-e", STARTER, module], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(starter.stdout, "data");
  const { port, folder } = JSON.parse(String(line)) as { port: number; folder: string };
  expect(await rawCommand(port, [["PING"]])).toBe("PONG");
  starter.kill(signal);
  await until("the server is gone", () => !existsSync(folder));
  await expect(rawCommand(port, [["PING"]])).rejects.toThrow();
});
