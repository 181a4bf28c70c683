/** Clients that send nonsense, stop half way, never read, or come in thousands: bounded, and nobody else notices. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RawClient } from "./raw-client.js";
import { type Served, type ServeOptions, serve } from "./serve.js";

const MB = 1024 * 1024;
const SHORT = { authentication: 500, halfCommand: 500, unreadReplies: 500, goodbye: 500 };

let served: Served;
let clients: RawClient[];
beforeEach(() => {
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await served.close();
  expect(served.complaints).toEqual([]);
});

function open(): RawClient {
  const client = new RawClient(served.port);
  clients.push(client);
  return client;
}

async function serveHere(options: ServeOptions = {}): Promise<void> {
  served = await serve({ limits: { all: "1000000/s" }, ...options });
}

/** Somebody else, who must not notice. */
async function expectServed(): Promise<void> {
  const other = open();
  expect(await other.ask("PING")).toBe("PONG");
  expect(await other.ask("RATELIMIT", String(Math.random()), "1000", "1000", "0")).toEqual([
    1, 0, 1000, 1000,
  ]);
  expect(await other.ask("SLUICE.CONSUME", "all")).toHaveLength(5);
  other.close();
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("nonsense", () => {
  test("random bytes get errors or nothing, and are over soon", async () => {
    await serveHere();
    for (let round = 0; round < 100; round += 1) {
      const client = open();
      client.send(randomBytes(1 + Math.floor(Math.random() * 5_000)));
      client.socket.end();
      expect(await client.rest()).toMatch(/^(-ERR [^\r\n]*\r\n|\+PONG\r\n)*$/);
    }
    await expectServed();
  });

  test("bytes that look like commands, damaged here and there", async () => {
    await serveHere();
    const right = "*4\r\n$9\r\nRATELIMIT\r\n$3\r\nkey\r\n$4\r\n1000\r\n$6\r\n500000\r\n".repeat(5);
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(right);
      for (let damage = 0; damage < 3; damage += 1) {
        bytes[Math.floor(Math.random() * bytes.length)] = Math.floor(Math.random() * 256);
      }
      const client = open();
      client.socket.end(bytes);
      expect(await client.rest()).toMatch(/^((\*4\r\n(:\d+\r\n){4})|(-ERR [^\r\n]*\r\n))*$/);
      client.close();
    }
    await expectServed();
  });

  test.each([
    ["a huge number of arguments", "*1000000000\r\n", "invalid multibulk length"],
    ["a huge argument", "*2\r\n$4\r\nECHO\r\n$1000000000\r\n", "invalid bulk length"],
    ["a number of 10,000 digits", `*${"1".repeat(10_000)}`, "invalid multibulk length"],
    ["deep nesting", "*1\r\n".repeat(10_000), "expected '$', got '*'"],
    ["a line without end", "x".repeat(100_000), "too big inline request"],
  ])("%s is refused, and the connection closed", async (_, bytes, message) => {
    await serveHere();
    const client = open();
    client.send(`PING\r\n${bytes}`);
    expect(await client.rest()).toBe(`+PONG\r\n-ERR Protocol error: ${message}\r\n`);
    await expect.poll(() => served.connections).toBe(0);
    await expectServed();
  });
});

describe("half commands", () => {
  test("are closed when they are never finished, however slowly they go on", async () => {
    await serveHere({ patience: SHORT });
    const idle = open();
    await idle.ask("PING");
    const halves = ["*", "*2\r\n$4\r\nECHO\r\n$100\r\nx", "PIN", "*3\r\n"].map((bytes) => {
      const client = open();
      client.send(bytes);
      return client;
    });
    const slow = halves[1]!;
    const dripping = setInterval(() => slow.send("x"), 50);
    for (const half of halves)
      expect(await half.rest()).toBe("-ERR a command was begun and not finished\r\n");
    clearInterval(dripping);
    expect(await idle.ask("PING")).toBe("PONG");
    await expectServed();
  });

  test("hold no more than all of them may together, and who holds most goes first", async () => {
    await serveHere({ mostHeld: 4 * MB });
    const small = open();
    small.send("*2\r\n$4\r\nECHO\r\n$5\r\nab");
    const long = `*1000\r\n${`$60000\r\n${"x".repeat(60_000)}\r\n`.repeat(10)}`;
    const greedy = Array.from({ length: 20 }, open);
    for (const client of greedy) client.send(long);
    await expect.poll(() => served.connections, { timeout: 10_000 }).toBeLessThan(10);
    await expectServed();
    small.send("cde\r\n");
    expect(await small.reply()).toBe("abcde");
  });
});

describe("a client that never reads", () => {
  /** Sends as long as the server takes it. */
  async function sendWithoutReading(client: RawClient, command: string): Promise<number> {
    client.socket.pause();
    const chunk = Buffer.from(command.repeat(Math.ceil(MB / command.length)));
    let sent = 0;
    while (sent < 200 * MB) {
      const taken = client.socket.write(chunk) || once(client.socket, "drain").then(() => true);
      if (!(await Promise.race([taken, delay(1_000, false)]))) break;
      sent += chunk.length;
    }
    return sent;
  }

  const ECHO = `*2\r\n$4\r\nECHO\r\n$1000\r\n${"x".repeat(1_000)}\r\n`;

  test.each([
    ["of replies as long as its commands", ECHO],
    ["of replies far longer than its commands", "COMMAND DOCS\r\n"],
    ["of decisions that take a while", "SLUICE.CONSUME all\r\n"],
  ])("is not read from either, %s", async (_, command) => {
    await serveHere();
    const before = memoryInUse();
    const client = open();
    expect(await sendWithoutReading(client, command)).toBeLessThan(100 * MB);
    await expectServed();
    expect(memoryInUse() - before).toBeLessThan(40 * MB);
    client.socket.resume();
    await once(client.socket, "data");
  });

  test("is closed after a while", async () => {
    await serveHere({ patience: SHORT });
    const client = open();
    await sendWithoutReading(client, ECHO);
    await expect.poll(() => served.connections, { timeout: 10_000 }).toBe(0);
    await expectServed();
  });

  test("and one that reads slowly is not", async () => {
    await serveHere({ patience: SHORT });
    const client = open();
    client.socket.pause();
    client.send(ECHO.repeat(20_000));
    let read = 0;
    const total = 20_000 * "$1000\r\n\r\n".length + 20_000 * 1_000;
    client.socket.removeAllListeners("data");
    client.socket.on("readable", () => {});
    while (read < total) {
      const piece = client.socket.read() as Buffer | null;
      read += piece?.length ?? 0;
      await delay(read < total / 4 ? 20 : 1);
    }
    expect(read).toBe(total);
  });
});

describe("many connections", () => {
  test("2,000 that say nothing cost little, and nobody else notices", async () => {
    await serveHere();
    const before = memoryInUse();
    const idle: RawClient[] = [];
    while (idle.length < 2_000) {
      idle.push(...Array.from({ length: 200 }, open));
      await expect.poll(() => served.connections, { timeout: 20_000 }).toBe(idle.length);
    }
    // Both ends are in this process.
    expect((memoryInUse() - before) / idle.length).toBeLessThan(40_000);
    for (let round = 0; round < 20; round += 1) await expectServed();
    for (const client of idle) client.close();
    await expect.poll(() => served.connections, { timeout: 20_000 }).toBe(0);
  });

  test("more than may be are told so and closed", async () => {
    await serveHere({ maxConnections: 3 });
    const first = [open(), open(), open()];
    for (const client of first) await client.ask("PING");
    const turnedAway = open();
    expect(await turnedAway.rest()).toBe("-ERR max number of clients reached\r\n");
    for (const client of first) expect(await client.ask("PING")).toBe("PONG");
    first[0]!.close();
    await expect.poll(() => served.connections).toBe(2);
    await expectServed();
  });

  test("that are reset at any moment leave nothing behind", async () => {
    await serveHere();
    for (let round = 0; round < 100; round += 1) {
      const client = open();
      client.send("SLUICE.CONSUME all\r\nRATELIMIT x 1 1\r\n".repeat(1 + (round % 50)));
      if (round % 3 > 0) await delay(round % 3);
      client.socket.resetAndDestroy();
    }
    await expect.poll(() => served.connections).toBe(0);
    await expectServed();
  });

  test("whose client does not close its end are closed anyway", async () => {
    await serveHere({ patience: SHORT });
    const client = open();
    client.socket.allowHalfOpen = true;
    client.send("QUIT\r\n");
    await once(client.socket, "end");
    await expect.poll(() => served.connections, { timeout: 5_000 }).toBe(0);
  });
});
