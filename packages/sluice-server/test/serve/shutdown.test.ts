/** A server that is told to stop answers what is in flight, and is gone then; told twice, it is gone at once. */
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { RawClient } from "../resp/raw-client.js";
import { type Sluice, startSluice } from "./sluice-process.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startServer();
});
afterEach(() => redis.resume());
afterAll(() => redis.stop());

/** So long that only Redis's own answer is in time. */
const CONFIG = () =>
  `store: { url: "${redis.url}", deadlineMs: 20000, onFailure: throw }\nlimits: { all: 100/m }`;

const ALLOWED = [1, expect.any(Number), 0, expect.any(Number), []];

async function started(): Promise<Sluice> {
  const server = await startSluice({ config: CONFIG() });
  await server.heard("the store answers");
  return server;
}

/** Calls that have reached the server and wait for Redis, which is stopped. */
async function inFlight(server: Sluice) {
  redis.pause();
  const client = new RawClient(server.respPort);
  const resp = client.ask("SLUICE.CONSUME", "all");
  const http = server.post("/v1/limits/all/consume", {});
  await until("both wait for Redis", async () => {
    const metrics = await (await server.fetch("/metrics")).text();
    return metrics.includes("sluice_store_waiting 2\n");
  });
  return { client, resp, http };
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(false)).once("error", () => resolve(true));
    socket.once("connect", () => socket.destroy());
  });
}

test("what is in flight is answered, then the ports are free and the exit code is 0", async () => {
  await using server = await started();
  const { resp, http } = await inFlight(server);
  server.signal("SIGTERM");
  await server.heard("closing");
  expect(await isFree(server.respPort)).toBe(true);
  expect(await isFree(server.httpPort)).toBe(true);
  redis.resume();
  expect(await resp).toEqual(ALLOWED);
  expect(await (await http).json()).toMatchObject({ allowed: true, source: "store" });
  expect(await server.ended).toBe(0);
  expect(server.logged("closing")).toMatchObject([{ signal: "SIGTERM" }]);
});

test("SIGINT is the same, and SIGHUP does no harm to a server that closes", async () => {
  await using server = await started();
  const { resp, http } = await inFlight(server);
  server.signal("SIGINT");
  await server.heard("closing");
  server.signal("SIGHUP");
  await server.heard("read again");
  redis.resume();
  expect(await resp).toEqual(ALLOWED);
  expect((await http).status).toBe(200);
  expect(await server.ended).toBe(0);
});

test("a second signal ends it at once", async () => {
  await using server = await started();
  const { resp, http } = await inFlight(server);
  const answers = Promise.allSettled([resp, http]);
  server.signal("SIGTERM");
  await server.heard("closing");
  server.signal("SIGINT");
  expect(await server.ended).toBe(130);
  expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

describe("does not wait long for", () => {
  /** Compared with how long it takes a process to start and end on this machine, now. */
  async function expectClosing(server: Sluice, waitsMs = 0): Promise<void> {
    const begin = performance.now();
    server.signal("SIGTERM");
    expect(await server.ended).toBe(0);
    const tookMs = performance.now() - begin;
    const start = performance.now();
    await using _ = await startSluice();
    expect(tookMs).toBeLessThan(waitsMs + 3 * (performance.now() - start));
  }

  test("connections with nothing in flight, and a Redis that is not there", async () => {
    await using server = await startSluice({ args: ["--store", "redis://127.0.0.1:1"] });
    await server.heard("the store is away");
    using client = new RawClient(server.respPort);
    await client.ask("PING");
    await (await server.fetch("/healthz")).text();
    using silent = new RawClient(server.httpPort);
    await until("it is connected", () => silent.socket.readyState === "open");
    await expectClosing(server);
  });

  test("a Redis that never answers", async () => {
    await using server = await started();
    redis.pause();
    await expectClosing(server, 1_000);
  });

  test("clients that never end what they ask", async () => {
    await using server = await startSluice();
    using http = new RawClient(server.httpPort);
    using resp = new RawClient(server.respPort);
    http.send("POST /v1/limits/login/consume HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    resp.send("*2\r\n$14\r\nSLUICE");
    await until("both have begun", async () => {
      await (await server.fetch("/healthz")).text();
      return http.socket.bytesWritten > 0 && resp.socket.bytesWritten > 0;
    });
    await expectClosing(server, 5_000);
  });
});
