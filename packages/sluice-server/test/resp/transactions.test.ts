/** MULTI and EXEC: the answers of Redis itself, nothing charged where a command could not be queued, and bounds. */
import * as ioredis5 from "ioredis-5";
import * as redis5 from "redis-5";
import * as redis6 from "redis-6";
import { memoryStore } from "sluice";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { RawClient } from "./raw-client.js";
import { BACKENDS, type Served, serve } from "./serve.js";

/** What is used of node-redis, whose own types differ by version. */
interface NodeRedis {
  createClient(options: object): {
    connect(): Promise<unknown>;
    multi(): Multi;
    sendCommand(args: readonly string[]): Promise<unknown>;
    destroy(): void;
  };
}

interface Multi {
  addCommand(args: readonly string[]): Multi;
  ping(): Multi;
  exec(): Promise<unknown>;
}

const LIMITS = { all: "100/h gcra", login: "ip:100/h gcra" };

test.each([
  ["nothing", "MULTI", "EXEC"],
  ["commands", "MULTI", "PING", "ECHO two", "EXEC", "PING"],
  ["an error of one command in its place", "MULTI", "SELECT 99", "PING", "EXEC"],
  ["an unknown command", "MULTI", "PING", "NONSENSE", "PING", "EXEC", "PING"],
  ["a wrong number of arguments", "MULTI", "ECHO", "PING", "EXEC", "EXEC"],
  ["one in another", "MULTI", "MULTI", "PING", "EXEC"],
  ["MULTI with an argument", "MULTI x", "EXEC", "MULTI", "MULTI x", "PING", "EXEC"],
  ["no MULTI", "EXEC", "DISCARD", "UNWATCH"],
  ["DISCARD", "MULTI", "PING", "DISCARD", "EXEC"],
  ["DISCARD after an error", "MULTI", "NONSENSE", "DISCARD", "MULTI", "PING", "EXEC"],
  ["DISCARD with an argument", "MULTI", "DISCARD x", "EXEC"],
  ["WATCH inside", "MULTI", "WATCH x", "PING", "EXEC"],
  ["WATCH without a key", "MULTI", "WATCH", "PING", "EXEC"],
  ["RESET", "MULTI", "PING", "RESET", "EXEC"],
  ["QUIT", "MULTI", "PING", "QUIT"],
  ["a name of its own", "MULTI", "CLIENT SETNAME me", "CLIENT GETNAME", "EXEC", "CLIENT GETNAME"],
  ["CLIENT without a subcommand", "MULTI", "CLIENT", "EXEC"],
])("%s: as Redis answers", async (_, ...lines) => {
  const served = await serve();
  using ours = new RawClient(served.port);
  using theirs = new RawClient(inject("servers").single.port);
  for (const client of [ours, theirs]) client.send(`${lines.join("\r\n")}\r\n`);
  const count = lines.length;
  expect(await ours.replies(count)).toEqual(await theirs.replies(count));
  await served.close();
});

describe.each(BACKENDS)("on $name", ({ serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  test("decisions are charged by EXEC, in order", async () => {
    using client = new RawClient(served.port);
    client.send("MULTI\r\nSLUICE.CONSUME all COST 10\r\nSLUICE.PEEK all\r\nRATELIMIT a 1000 5000 0\r\n");
    client.send("SLUICE.REFUND all COST 4\r\nSLUICE.CONSUME all\r\n");
    expect(await client.replies(6)).toEqual(["OK", "QUEUED", "QUEUED", "QUEUED", "QUEUED", "QUEUED"]);
    using other = new RawClient(served.port);
    expect(await other.ask("SLUICE.PEEK", "all")).toMatchObject({ 0: 1, 1: 100 });
    const replies = (await client.ask("EXEC")) as unknown[][];
    expect(replies.map((reply) => (Array.isArray(reply) ? reply[1] : reply))).toEqual([90, 90, 4, "OK", 93]);
  });

  test("what comes behind EXEC sees all of it, a refund included", async () => {
    using client = new RawClient(served.port);
    const before = (await client.ask("SLUICE.PEEK", "all")) as number[];
    client.send("MULTI\r\nSLUICE.CONSUME all COST 3\r\nSLUICE.REFUND all COST 2\r\nSLUICE.CONSUME all\r\n");
    client.send("EXEC\r\nSLUICE.PEEK all\r\n");
    const replies = await client.replies(6);
    expect((replies[5] as number[])[1]).toBe(before[1]! - 2);
  });

  test.each([
    ["an unknown command", "NONSENSE"],
    ["a wrong number of arguments", "RATELIMIT key 1000"],
    ["numbers that are none", "RATELIMIT key x 1000"],
    ["a capacity below the period", "RATELIMIT key 1000 1"],
    ["a key twice", "RATELIMIT key 1 1 key 1 1"],
    ["an unknown limit", "SLUICE.CONSUME nothing"],
    ["a selector without a value", "SLUICE.PEEK login ip"],
    ["a cost that is none", "SLUICE.REFUND all COST x"],
    ["a cost of nothing", "SLUICE.CONSUME all COST 0"],
    ["a missing fact", "SLUICE.CONSUME login"],
    ["a reset with a cost", "SLUICE.RESET all COST 1"],
    ["an unknown subcommand", "CLIENT NONSENSE"],
  ])("%s charges nothing at all", async (name, line) => {
    using client = new RawClient(served.port);
    const key = `abort-${name.replaceAll(" ", "-")}`;
    const charge = `RATELIMIT ${key} 1000000000000 5000000000000`;
    client.send(`MULTI\r\n${charge}\r\n${line}\r\n${charge}\r\nEXEC\r\n${charge}\r\n`);
    const [multi, first, mistake, second, exec, after] = await client.replies(6);
    expect([multi, first, second]).toEqual(["OK", "QUEUED", "QUEUED"]);
    expect(mistake).toBeInstanceOf(Error);
    expect(exec).toEqual(new Error("EXECABORT Transaction discarded because of previous errors."));
    expect(after).toMatchObject([1, 4, 0, expect.any(Number)]);
  });
});

test("in memory, nothing of another client comes between", async () => {
  const served = await serve({ limits: { all: "1000000/w fixed-window" } });
  const clients = Array.from({ length: 5 }, () => new RawClient(served.port));
  const rounds = `MULTI\r\n${"SLUICE.CONSUME all\r\n".repeat(100)}EXEC\r\nSLUICE.CONSUME all\r\n`;
  for (const client of clients) client.send(rounds.repeat(20));
  for (const client of clients) {
    const replies = await client.replies(20 * 103);
    const transactions = replies.filter((reply) => Array.isArray(reply) && reply.length === 100);
    expect(transactions).toHaveLength(20);
    for (const transaction of transactions as number[][][]) {
      const first = transaction[0]![1]!;
      expect(transaction.map(([, remaining]) => remaining)).toEqual(
        Array.from({ length: 100 }, (_, index) => first - index),
      );
    }
    client.close();
  }
  await served.close();
});

describe("is bounded", () => {
  const TOO_LARGE = { message: expect.stringMatching(/^ERR the transaction is too large/) };
  const ABORTED = new Error("EXECABORT Transaction discarded because of previous errors.");

  test.each([
    ["in commands", 1_024, "RATELIMIT key 1000 5000 0\r\n"],
    ["in bytes", 17, `*2\r\n$4\r\nECHO\r\n$60000\r\n${"x".repeat(60_000)}\r\n`],
  ])("%s", async (_, most, command) => {
    const store = memoryStore();
    const served = await serve({ store });
    using client = new RawClient(served.port);
    client.send(`MULTI\r\n${command.repeat(most)}`);
    expect(new Set(await client.replies(1 + most))).toEqual(new Set(["OK", "QUEUED"]));
    client.send(command.repeat(100));
    expect((await client.replies(100))[0]).toMatchObject(TOO_LARGE);
    expect(await client.ask("EXEC")).toEqual(ABORTED);
    expect(store.size).toBe(0);
    await served.close();
  });

  test("together with all else that connections hold", async () => {
    const served = await serve({ mostHeld: 4 * 1024 * 1024 });
    const clients = Array.from({ length: 10 }, () => new RawClient(served.port));
    const half = `MULTI\r\n${`*2\r\n$4\r\nECHO\r\n$60000\r\n${"x".repeat(60_000)}\r\n`.repeat(16)}`;
    for (const client of clients) client.send(half);
    await expect.poll(() => served.connections, { timeout: 10_000 }).toBeLessThanOrEqual(4);
    for (const client of clients) client.close();
    await served.close();
  });
});

describe("from libraries", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  test("ioredis", async () => {
    const client = new ioredis5.Redis({ port: served.port });
    const replies = await client.multi().call("RATELIMIT", "io", "1000", "5000", "0").ping().exec();
    expect(replies).toEqual([
      [null, [1, 4, 0, 1000]],
      [null, "PONG"],
    ]);
    await expect(
      client.multi().call("RATELIMIT", "io", "1000", "5000", "0").call("NONSENSE").exec(),
    ).rejects.toThrow("EXECABORT");
    expect(await client.call("RATELIMIT", "io", "1000", "5000", "0")).toEqual([1, 3, 0, 2000]);
    client.disconnect();
  });

  test.each([
    ["node-redis 5", redis5],
    ["node-redis 6", redis6],
  ])("%s", async (name, library) => {
    const client = (library as object as NodeRedis).createClient({ socket: { port: served.port } });
    await client.connect();
    const ask = ["RATELIMIT", name, "1000", "5000", "0"];
    expect(await client.multi().addCommand(ask).ping().exec()).toEqual([[1, 4, 0, 1000], "PONG"]);
    await expect(client.multi().addCommand(ask).addCommand(["NONSENSE"]).exec()).rejects.toThrow();
    expect(await client.sendCommand(ask)).toEqual([1, 3, 0, 2000]);
    client.destroy();
  });
});
