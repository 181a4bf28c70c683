/** Many commands at once: replies in order, decisions in batches, and nothing lost at the end. */
import { setTimeout as delay } from "node:timers/promises";
import { memoryStore, type Plan, type Store } from "sluice";
import type { RedisStore } from "sluice/redis";
import { expect, test } from "vitest";
import { seededRandom } from "../../../sluice/src/testing/random.js";
import { RawClient } from "./raw-client.js";
import { BACKENDS, connectRedis, serve } from "./serve.js";

test.each(BACKENDS)("on $name, replies come in the order of the commands", async ({ serve }) => {
  const served = await serve({ limits: { all: "5000/w gcra" } });
  const random = seededRandom(5);
  let consumed = 0;
  const lines: string[] = [];
  const expected: unknown[] = [];
  for (let number = 0; number < 3_000; number += 1) {
    const kind = random.pick(["echo", "consume", "ratelimit", "error"]);
    if (kind === "echo") {
      lines.push(`ECHO ${number}`);
      expected.push(String(number));
    } else if (kind === "consume") {
      consumed += 1;
      lines.push("SLUICE.CONSUME all");
      expected.push([1, 5_000 - consumed, 0, expect.any(Number), []]);
    } else if (kind === "ratelimit") {
      lines.push(`RATELIMIT ${number} 1000 ${number + 1000}`);
      expected.push([1, Math.floor(number / 1000), expect.any(Number), 1000]);
    } else {
      lines.push(`NONSENSE ${number}`);
      expected.push(new Error(`ERR unknown command 'NONSENSE', with args beginning with: '${number}' `));
    }
  }
  using client = new RawClient(served.port);
  client.send(`${lines.join("\r\n")}\r\n`);
  expect(await client.replies(lines.length)).toEqual(expected);
  await served.close();
});

test("what is read together is decided together", async () => {
  const redis = await connectRedis();
  const store = redis.store as RedisStore;
  const served = await serve({ ...redis, namespace: `batches${Math.random()}`, limits: { all: "1000/h" } });
  using client = new RawClient(served.port);
  await client.ask("PING");
  const before = store.health().batches;
  client.send("RATELIMIT batch 1000000000 100000000000\r\nSLUICE.CONSUME all\r\n".repeat(50));
  const replies = (await client.replies(100)) as number[][];
  expect(replies.map(([, remaining]) => remaining)).toEqual(
    Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 99 : 999) - Math.floor(index / 2)),
  );
  expect(store.health().batches).toBe(before + 1);
  await served.close();
  await redis.close();
});

/** Answers only when told to. */
function heldStore(): Store & { release(): void; readonly asked: number } {
  const memory = memoryStore();
  const waiting: (() => void)[] = [];
  return {
    ...{ peek: memory.peek, refund: memory.refund, reset: memory.reset, close: memory.close },
    get asked() {
      return waiting.length;
    },
    decide: (plan: Plan) => new Promise((resolve) => waiting.push(() => resolve(memory.decide(plan)))),
    release() {
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

test("a client waits for no more than its share, and the store for no more than it can bear", async () => {
  const store = heldStore();
  const served = await serve({ store });
  const clients = Array.from({ length: 20 }, () => new RawClient(served.port));
  const first = clients[0]!.replies(1_500);
  clients[0]!.send("RATELIMIT key 1 100000000\r\n".repeat(1_500));
  await expect.poll(() => store.asked, { timeout: 10_000 }).toBe(256);
  for (const client of clients.slice(1)) client.send("RATELIMIT key 1 100000000\r\n".repeat(1_500));
  await expect.poll(() => store.asked, { timeout: 10_000 }).toBe(2_000);
  await delay(500);
  expect(store.asked).toBe(2_000);
  const others = Promise.all(clients.slice(1).map((client) => client.replies(1_500)));
  const releasing = setInterval(() => store.release(), 5);
  expect(await first).toHaveLength(1_500);
  expect(await others).toHaveLength(19);
  clearInterval(releasing);
  for (const client of clients) client.close();
  await served.close();
});

test("a server that closes answers what it was asked, and takes nothing new", async () => {
  const store = heldStore();
  const served = await serve({ store });
  using client = new RawClient(served.port);
  using idle = new RawClient(served.port);
  await idle.ask("PING");
  client.send("RATELIMIT key 1000 5000\r\nPING\r\n");
  await expect.poll(() => store.asked).toBe(1);
  const closed = served.close();
  expect(await idle.rest()).toBe("");
  using late = new RawClient(served.port);
  expect(await late.rest()).toBe("");
  client.send("PING\r\n");
  store.release();
  expect(await client.rest()).toBe("*4\r\n:1\r\n:4\r\n:0\r\n:1000\r\n+PONG\r\n");
  await closed;
  await expect.poll(() => served.connections).toBe(0);
});

test("a server that closes answers a long pipeline to its end", async () => {
  const store = heldStore();
  const served = await serve({ store });
  using client = new RawClient(served.port);
  client.send("RATELIMIT key 1000 5000\r\nPING\r\n".repeat(10_000));
  await expect.poll(() => store.asked).toBe(128);
  const closed = served.close();
  const releasing = setInterval(() => store.release(), 1);
  const answered = (await client.rest()).split("+PONG\r\n").length - 1;
  clearInterval(releasing);
  expect(answered).toBe(10_000);
  await closed;
});

test("a server that closes waits no longer than it says", async () => {
  const patience = { authentication: 10_000, halfCommand: 10_000, unreadReplies: 10_000, goodbye: 200 };
  const served = await serve({ store: heldStore(), patience });
  using client = new RawClient(served.port);
  client.send("RATELIMIT key 1000 5000\r\n");
  await expect.poll(() => served.connections).toBe(1);
  await served.close();
  expect(await client.rest()).toBe("-ERR the server is shutting down\r\n");
});

test("what fails inside is an error reply and a line in the log, not the end of the server", async () => {
  const store: Store = {
    ...heldStore(),
    decide: () => {
      throw new TypeError("a bug");
    },
  };
  const served = await serve({ store });
  using client = new RawClient(served.port);
  expect(await client.ask("RATELIMIT", "key", "1", "1")).toEqual(new Error("ERR internal error"));
  expect(await client.ask("PING")).toBe("PONG");
  expect(served.complaints).toEqual([{ err: new TypeError("a bug") }]);
  await served.close();
});
