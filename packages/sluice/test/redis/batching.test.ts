/** What is asked for in one turn of the event loop travels in one message. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createSluice, type Sluice } from "../../src/limiter/sluice.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { type RedisServer, startServer } from "../redis-servers/redis-server.js";
import { connections, storeOn } from "./connections.js";
import { callsOn, forgetCalls } from "./inspect.js";

const { open } = connections();

let single: RedisServer;
beforeAll(async () => {
  single = await startServer();
});
afterAll(() => single?.stop());

/** How many messages something takes, as the server and as the store count them. */
async function messagesFor(ask: (sluice: Sluice) => Promise<unknown>): Promise<number> {
  const store = storeOn(await open("single", { single }));
  const sluice = createSluice({ namespace: freshNamespace(), store });
  await sluice.limit("1/h").peek();
  const before = store.health().batches;
  await forgetCalls(single);
  await ask(sluice);
  const { evalsha = 0, eval: whole = 0 } = await callsOn(single);
  expect(whole).toBe(0);
  expect(store.health().batches - before).toBe(evalsha);
  return evalsha;
}

const times = (count: number, act: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, act));

describe("the number of messages", () => {
  test.each([
    { decisions: 1, messages: 1 },
    { decisions: 2, messages: 1 },
    { decisions: 128, messages: 1 },
    { decisions: 129, messages: 2 },
    { decisions: 1_000, messages: 8 },
  ])("is $messages for $decisions decisions in one turn", async ({ decisions, messages }) => {
    const limiterOf = (sluice: Sluice) => sluice.limit("user:5/h or 100/m gcra");
    expect(
      await messagesFor((sluice) => times(decisions, () => limiterOf(sluice).consume({ user: "ada" }))),
    ).toBe(messages);
  });

  test("is one for different rules, users, costs and questions", async () => {
    const messages = await messagesFor(async (sluice) => {
      const [one, other] = [
        sluice.limit("user:5/h"),
        sluice.limit("ip:3/m gcra and 9/s", { countRefused: true }),
      ];
      const charged = await one.consume({ user: "ada" });
      await Promise.all([
        one.consume({ user: "ada" }),
        other.consume({ ip: "x" }, { cost: 2 }),
        one.peek({ user: "bob" }),
        one.refund(charged),
        other.reset({ ip: "x" }),
      ]);
    });
    /** One for the charge that is given back, and one for all that follows. */
    expect(messages).toBe(2);
  });

  test("is one for each deadline", async () => {
    const messages = await messagesFor((sluice) =>
      Promise.all([
        sluice.limit("1/h").consume(),
        sluice.limit("2/h", { deadlineMs: 20_000 }).consume(),
        sluice.limit("3/h", { deadlineMs: 20_000 }).consume(),
      ]),
    );
    expect(messages).toBe(2);
  });

  test("is one for each turn", async () => {
    const messages = await messagesFor(async (sluice) => {
      const first = sluice.limit("1/h").consume();
      await nextTurn();
      await Promise.all([first, sluice.limit("1/h").consume()]);
    });
    expect(messages).toBe(2);
  });

  test("is one for each slot of a Cluster", async () => {
    const sizes: number[] = [];
    const onBatch = (size: number) => sizes.push(size);
    const store = storeOn(await open("cluster", inject("servers")), { onBatch });
    const limiter = createSluice({ namespace: freshNamespace(), store }).limit("user:5/h or user:9/d");
    await Promise.all(["ada", "bob", "ada", "bob", "ada"].map((user) => limiter.consume({ user })));
    expect(store.health().batches).toBe(2);
    expect(sizes.sort()).toEqual([2, 3]);
  });
});
