/** Where tokens are configured, who has not shown one gets seconds, kilobytes and a part of the connections. */
import { afterEach, expect, test } from "vitest";
import { RawClient } from "./raw-client.js";
import { type Served, type ServeOptions, serve } from "./serve.js";

const TOKEN = "secret";
const PATIENCE = { authentication: 500, halfCommand: 60_000, unreadReplies: 60_000, goodbye: 500 };

let served: Served;
let clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await served.close();
  expect(served.complaints).toEqual([]);
});

async function serveHere(options: ServeOptions = {}): Promise<void> {
  served = await serve({ tokens: [TOKEN], ...options });
}

/** Answered once, so that the server knows of it before the next. */
async function stranger(): Promise<RawClient> {
  const client = new RawClient(served.port);
  clients.push(client);
  expect(await client.ask("PING")).toEqual(new Error("NOAUTH Authentication required."));
  return client;
}

async function friend(): Promise<RawClient> {
  const client = await stranger();
  expect(await client.ask("AUTH", TOKEN)).toBe("OK");
  return client;
}

const MADE_ROOM = "-NOAUTH closed for want of a token, to make room for another client\r\n";

test("who does not authenticate in time is dropped, whatever else he sends", async () => {
  await serveHere({ patience: PATIENCE });
  const known = await friend();
  const busy = await stranger();
  const dripping = setInterval(() => busy.send("PING\r\n"), 100);
  expect(await (await stranger()).rest()).toBe("-NOAUTH closed for want of a token; send AUTH first\r\n");
  await busy.rest();
  clearInterval(dripping);
  expect(await known.ask("PING")).toBe("PONG");
  expect(await known.ask("RESET")).toBe("RESET");
  expect(await known.rest()).toBe("-NOAUTH closed for want of a token; send AUTH first\r\n");
});

test("a flood of commands without a token is cut off", async () => {
  await serveHere();
  const client = await stranger();
  client.send("PING\r\n".repeat(10_000));
  const replies = (await client.rest()).split("\r\n");
  expect(replies).toHaveLength(63 + 2);
  expect(replies.at(-2)).toBe("-NOAUTH closed after 64 commands without a token");
});

test("a request of 4 kB is the longest", async () => {
  await serveHere();
  const client = await stranger();
  client.send(`*3\r\n$4\r\nAUTH\r\n$4000\r\n${"x".repeat(4_000)}\r\n$100\r\n`);
  expect(await client.rest()).toBe("-ERR Protocol error: invalid bulk length\r\n");
});

test("the oldest stranger makes room for a newcomer, and nobody who has authenticated does", async () => {
  await serveHere({ maxConnections: 6 });
  const known = await friend();
  const strangers = [await stranger(), await stranger(), await stranger()];
  await stranger();
  expect(await strangers[0]!.rest()).toBe(MADE_ROOM);
  expect(served.connections).toBe(4);
  const others = [known];
  for (let number = 0; number < 5; number += 1) others.push(await friend());
  expect(await strangers[1]!.rest()).toBe(MADE_ROOM);
  expect(await strangers[2]!.rest()).toBe(MADE_ROOM);
  for (const client of others) expect(await client.ask("PING")).toBe("PONG");
  const late = new RawClient(served.port);
  clients.push(late);
  expect(await late.rest()).toBe("-ERR max number of clients reached\r\n");
});

test("who guesses is slowed down, on every connection of his address", async () => {
  await serveHere();
  const wrong = new Error("WRONGPASS invalid username-password pair or user is disabled.");
  const client = await stranger();
  for (let guess = 0; guess < 10; guess += 1)
    expect(await client.ask("AUTH", `guess${guess}`)).toEqual(wrong);
  expect(await client.ask("HELLO", "2", "AUTH", "default", "guess")).toEqual(wrong);
  const blocked = new Error("WRONGPASS too many wrong tokens from your address. Try again in 1 s.");
  expect(await client.ask("AUTH", "guess")).toEqual(blocked);
  expect(await (await stranger()).ask("AUTH", TOKEN)).toEqual(blocked);
});
