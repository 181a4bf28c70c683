/** A server that is told to close answers what it has been asked, and is gone soon whatever others do. */
import { setTimeout as delay } from "node:timers/promises";
import { memoryStore, type Plan, type Store } from "sluice";
import { expect, test } from "vitest";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { RawClient } from "../resp/raw-client.js";
import { rawAnswers } from "./raw-answers.js";
import { type Served, serve } from "./serve.js";
import { within } from "./within.js";

const LIMITS = { all: "1000/h gcra" };
const GET = "GET /v1/gate/all HTTP/1.1\r\nHost: localhost\r\n\r\n";
const PATIENCE = { requestMs: 30_000, checkMs: 50, silenceMs: 60_000, goodbyeMs: 30_000 };
const SHORT = { ...PATIENCE, goodbyeMs: 300 };
/** Long for a busy machine, and short beside what it would be without an end. */
const SOON_MS = 5_000;

/** A store that answers when it is told to. */
function heldStore(): { readonly store: Store; asked: number; release(): void } {
  const memory = memoryStore();
  let release = () => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = { store: memory as Store, asked: 0, release };
  held.store = Object.assign(Object.create(memory), {
    async decide(plan: Plan) {
      held.asked += 1;
      await promise;
      return memory.decide(plan);
    },
  });
  return held;
}

function untilAsked(held: { readonly asked: number }, count: number): Promise<void> {
  return until(`the store is asked ${count} times`, () => held.asked >= count);
}

async function answered(served: Served): Promise<RawClient> {
  const client = new RawClient(served.port);
  client.send(GET);
  await client.text(20);
  return client;
}

test("idle connections are closed at once, also those that never asked", async () => {
  const served = await serve({ limits: LIMITS, patience: PATIENCE });
  using kept = await answered(served);
  using silent = new RawClient(served.port);
  await delay(20);
  await within(SOON_MS, served.close());
  await Promise.all([kept.rest(), silent.rest()]);
});

test("what is in flight is answered, with the word that the connection ends", async () => {
  const held = heldStore();
  const served = await serve({ limits: LIMITS, store: held.store, patience: PATIENCE });
  using one = new RawClient(served.port);
  using many = new RawClient(served.port);
  using half = new RawClient(served.port);
  one.send(GET);
  many.send(GET + GET + GET);
  half.send(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n${GET.slice(0, 30)}`);
  await half.text(20);
  await untilAsked(held, 4);
  const closing = served.close();
  await delay(50);
  half.send(GET.slice(30));
  await untilAsked(held, 5);
  held.release();
  const [first, pipelined, late] = (await Promise.all([one.rest(), many.rest(), half.rest()])).map((text) =>
    rawAnswers(text),
  );
  expect(first).toMatchObject([{ status: 204, headers: { connection: "close" } }]);
  expect(pipelined).toMatchObject([
    { status: 204 },
    { status: 204 },
    { status: 204, headers: { connection: "close" } },
  ]);
  expect(late).toMatchObject([{ status: 204, headers: { connection: "close" } }]);
  await within(SOON_MS, closing);
});

test("nobody new is let in", async () => {
  const held = heldStore();
  const served = await serve({ limits: LIMITS, store: held.store, patience: PATIENCE });
  using one = new RawClient(served.port);
  one.send(GET);
  await untilAsked(held, 1);
  const closing = served.close();
  await delay(20);
  await expect(served.ask("GET /healthz")).rejects.toThrow();
  held.release();
  await closing;
  expect(rawAnswers(await one.rest())).toMatchObject([{ status: 204 }]);
});

test.each([
  ["half a head", GET.slice(0, 30)],
  [
    "half a body",
    "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
  ],
  ["more than it reads", "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000)],
])("a client that sends %s does not keep it from ending", async (_, bytes) => {
  const served = await serve({ limits: LIMITS, patience: SHORT });
  using client = new RawClient(served.port);
  client.socket.pause();
  client.send(bytes);
  await delay(100);
  await within(SHORT.goodbyeMs + SOON_MS, served.close());
});

test("a store that never answers does not keep it from ending", async () => {
  const held = heldStore();
  const served = await serve({ limits: LIMITS, store: held.store, patience: SHORT });
  using client = new RawClient(served.port);
  client.send(GET);
  await untilAsked(held, 1);
  await within(SHORT.goodbyeMs + SOON_MS, served.close());
  held.release();
});

test("to close twice is to close once", async () => {
  const served = await serve({ limits: LIMITS });
  await Promise.all([served.close(), served.close()]);
  await served.close();
});
