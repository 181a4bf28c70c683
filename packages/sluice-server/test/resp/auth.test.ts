/** Where the configuration has tokens, who does not know one gets no answer. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { RawClient } from "./raw-client.js";
import { type Served, serve } from "./serve.js";

let served: Served;
beforeAll(async () => {
  served = await serve({ tokens: ["secret", "geheim€"] });
});
afterAll(() => served.close());

test.each(["PING", "RATELIMIT k 1 1", "SLUICE.LIMITS", "INFO", "CLIENT ID", "COMMAND", "SELECT 0"])(
  "%s is for who has said who he is",
  async (line) => {
    using client = new RawClient(served.port);
    client.send(`${line}\r\n`);
    expect(await client.reply()).toEqual(new Error("NOAUTH Authentication required."));
  },
);

test.each([
  ["AUTH wrong", "WRONGPASS invalid username-password pair or user is disabled."],
  ["AUTH default wrong", "WRONGPASS invalid username-password pair or user is disabled."],
  ["AUTH secre", "WRONGPASS invalid username-password pair or user is disabled."],
  ['AUTH ""', "WRONGPASS invalid username-password pair or user is disabled."],
  ["AUTH a b c", "ERR syntax error"],
  ["AUTH", "ERR wrong number of arguments for 'auth' command"],
  ["HELLO 3 AUTH default wrong", "WRONGPASS invalid username-password pair or user is disabled."],
])("%s is refused, and so is what follows", async (line, message) => {
  using client = new RawClient(served.port);
  client.send(`${line}\r\nPING\r\n`);
  expect(await client.replies(2)).toEqual([new Error(message), new Error("NOAUTH Authentication required.")]);
});

test.each([
  ["AUTH", "secret"],
  ["AUTH", "default", "secret"],
  ["AUTH", "geheim€"],
  ["HELLO", "2", "AUTH", "x", "secret"],
])("%s %s %s %s opens the door, until RESET", async (...args) => {
  using client = new RawClient(served.port);
  expect(await client.ask("HELLO", "2")).toMatchObject({ message: expect.stringMatching(/^NOAUTH HELLO/) });
  expect(await client.ask(...args)).not.toBeInstanceOf(Error);
  expect(await client.ask("PING")).toBe("PONG");
  expect(await client.ask("RESET")).toBe("RESET");
  expect(await client.ask("PING")).toBeInstanceOf(Error);
});

test("strangers cannot send much, and friends can, also right behind their AUTH", async () => {
  const long = `*2\r\n$4\r\nECHO\r\n$50000\r\n${"x".repeat(50_000)}\r\n`;
  using stranger = new RawClient(served.port);
  stranger.send(long);
  expect(await stranger.rest()).toBe("-ERR Protocol error: invalid bulk length\r\n");
  using friend = new RawClient(served.port);
  friend.send(`AUTH secret\r\n${long}`);
  expect(await friend.replies(2)).toEqual(["OK", "x".repeat(50_000)]);
});
