/** Who sends slowly is not waited for without end. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RawClient } from "../resp/raw-client.js";
import { rawAnswers, statusesIn } from "./raw-answers.js";
import { type Served, serve } from "./serve.js";
import { within } from "./within.js";

const PATIENCE = { requestMs: 400, checkMs: 50, silenceMs: 10_000, goodbyeMs: 500 };
/** Well before Node would notice by itself, and long for a busy machine. */
const LATEST_MS = 5_000;

const MEGABYTE = "x".repeat(1_000_000);

let served: Served;
beforeAll(async () => {
  served = await serve({ limits: { all: "1000000/h gcra" }, patience: PATIENCE });
});
afterAll(() => served.close());

const HEAD = "POST /v1/limits/all/consume HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/** Sends one character every now and then, for as long as somebody listens. */
async function dribble(client: RawClient, characters: string): Promise<void> {
  for (const character of characters) {
    if (client.socket.destroyed) return;
    client.send(character);
    await delay(20);
  }
}

test.each([
  ["headers that never end", HEAD, `X-Slow: ${"a".repeat(500)}`],
  ["a body that never ends", `${HEAD}Content-Length: 1000\r\n\r\n`, `{"facts":{"x":"${"a".repeat(500)}`],
  ["chunks that never end", `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n".repeat(100)],
  ["a first line that never ends", "", `GET /${"a".repeat(500)}`],
  ["headers that stop", HEAD, ""],
  ["a body that stops", `${HEAD}Content-Length: 1000\r\n\r\n{`, ""],
])("%s: 408", async (_, start, rest) => {
  using client = new RawClient(served.port);
  if (start !== "") client.send(start);
  void dribble(client, rest);
  const answers = rawAnswers(await within(LATEST_MS, client.rest()));
  expect(answers).toMatchObject([{ status: 408, headers: { "content-type": "application/problem+json" } }]);
});

test("who was answered before he had sent all is let go without a second answer", async () => {
  using client = new RawClient(served.port);
  client.send(
    "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n{",
  );
  expect(statusesIn(await client.rest())).toEqual([415]);
});

test("who connects and says nothing is let go", async () => {
  using client = new RawClient(served.port);
  await within(LATEST_MS, client.rest());
});

test("who does not read what he asked for is let go", async () => {
  const silent = await serve({ metrics: async () => MEGABYTE, patience: { ...PATIENCE, silenceMs: 200 } });
  using client = new RawClient(silent.port);
  client.socket.pause();
  client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(30));
  await delay(1_000);
  client.socket.resume();
  expect((await client.rest()).split("HTTP/1.1 200").length).toBeLessThan(30);
  await silent.close();
});

test("others are served while hundreds are slow", async () => {
  const slow = Array.from({ length: 300 }, () => new RawClient(served.port));
  for (const client of slow) client.send(HEAD);
  for (let time = 0; time < 20; time += 1) {
    expect((await served.ask("POST /v1/limits/all/consume")).status).toBe(200);
  }
  await Promise.all(slow.map((client) => client.rest()));
});

test("nothing of it is an error of ours", () => expect(served.logged).toEqual([]));
