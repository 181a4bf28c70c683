/** Tokens of a whole server: one guard for both surfaces, and a token that is removed counts no longer. */
import { expect, test } from "vitest";
import { RawClient } from "../resp/raw-client.js";
import { type Sluice, startSluice } from "./sluice-process.js";

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function reload(server: Sluice, config: string): Promise<void> {
  server.write(config);
  server.signal("SIGHUP");
  await server.heard("read again");
}

test("a connection whose token is removed is a stranger again", async () => {
  await using server = await startSluice({
    config: "tokens: [old-token, kept-token]\nlimits: { all: 100/s }",
  });
  using old = new RawClient(server.respPort);
  using kept = new RawClient(server.respPort);
  expect(await old.ask("AUTH", "old-token")).toBe("OK");
  expect(await kept.ask("AUTH", "kept-token")).toBe("OK");
  await reload(server, "tokens: [kept-token, new-token]\nlimits: { all: 100/s }");
  expect(await old.ask("PING")).toEqual(new Error("NOAUTH Authentication required."));
  expect(await kept.ask("PING")).toBe("PONG");
  expect(await old.ask("AUTH", "new-token")).toBe("OK");
  expect(await old.ask("PING")).toBe("PONG");
});

test("who guesses on one surface is slowed down on the other, and nobody else on either", async () => {
  await using server = await startSluice({ config: "tokens: [right-token]\nlimits: { all: 100/s }" });
  for (let guess = 0; guess < 11; guess += 1) {
    expect((await server.fetch("/v1/limits", bearer(`guess${guess}`))).status).toBe(401);
  }
  const refused = await server.fetch("/v1/limits", bearer("right-token"));
  expect(refused.status).toBe(401);
  expect(Number(refused.headers.get("Retry-After"))).toBe(1);
  expect(await refused.json()).toMatchObject({
    detail: "Too many wrong tokens from your address. Try again in 1 s.",
  });
  expect(await server.ask("AUTH", "right-token")).toMatchObject({
    message: expect.stringMatching(/too many wrong/),
  });
  expect((await server.fetch("/v1/limits", {})).headers.get("Retry-After")).toBeNull();
  await expect.poll(async () => server.ask("AUTH", "right-token"), { timeout: 20_000 }).toBe("OK");
  expect((await server.fetch("/v1/limits", bearer("wrong"))).status).toBe(401);
  expect((await server.fetch("/v1/limits", bearer("right-token"))).status).toBe(200);
});
