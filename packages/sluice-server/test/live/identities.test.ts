/** Who is being limited, as the page sees it, and what it may do about it. */
import { expect, test } from "vitest";
import type { Identities } from "../../src/live/live-messages.js";
import { expectProblem } from "../http/ask.js";
import { type LiveOptions, serveLive } from "./serve-live.js";

const HOSTILE = '<img src=x onerror="alert(1)">';

async function askedBy(users: readonly string[], options: LiveOptions = {}) {
  const server = await serveLive({ limits: { login: { rule: "user:1/h" } }, ...options });
  const [token] = options.tokens ?? [];
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  for (const user of users) await server.limits.get("login")!.limiter.consume({ user });
  const lists = async () =>
    (await server.ask("GET /live/identities?limit=login", { headers })).json as Identities;
  return { ...server, headers, lists };
}

test("the busiest and the most refused, as they were named", async () => {
  const { lists } = await askedBy(["ada", "ada", "ada", HOSTILE]);
  expect(await lists()).toEqual({
    busiest: [
      { id: expect.any(String), facts: { user: "ada" }, cut: false, count: 3 },
      { id: expect.any(String), facts: { user: HOSTILE }, cut: false, count: 1 },
    ],
    mostRefused: [{ id: expect.any(String), facts: { user: "ada" }, cut: false, count: 2 }],
    errorAtMost: 0,
  });
});

test("as hashes where the configuration says so, which can be asked about all the same", async () => {
  const { lists, ask } = await askedBy(["ada", "ada"], { hashed: true });
  const [found] = (await lists()).busiest;
  expect(found!.facts["user"]).toMatch(/^#[\w-]{16}$/);
  const { json } = await ask("POST /live/identities/peek", { body: { limit: "login", id: found!.id } });
  expect(json).toMatchObject({ allowed: false, remaining: 0 });
  expect(JSON.stringify([await lists(), json])).not.toContain("ada");
});

test("what is too long to keep is counted apart, and whoever asks about it is told why not", async () => {
  const long = "x".repeat(60_000);
  for (const hashed of [false, true]) {
    const { lists, ask } = await askedBy([`${long}1`, `${long}1`, `${long}2`], { hashed });
    const { busiest, mostRefused } = await lists();
    expect(busiest).toMatchObject([
      { cut: true, count: 2 },
      { cut: true, count: 1 },
    ]);
    expect(busiest[0]!.facts["user"]).not.toBe(busiest[1]!.facts["user"]);
    for (const action of ["peek", "reset", "refund"]) {
      const body = { limit: "login", id: mostRefused[0]!.id };
      const answer = await ask(`POST /live/identities/${action}`, { body });
      expectProblem(answer, { status: 409, detail: expect.stringContaining("too long to be kept") });
    }
  }
});

test("one of them is looked at, refunded, and freed by a reset", async () => {
  const { lists, ask, limits } = await askedBy(["ada", "ada"]);
  const { id } = (await lists()).mostRefused[0]!;
  const body = { limit: "login", id };
  expect((await ask("POST /live/identities/peek", { body })).json).toMatchObject({ allowed: false });
  expect((await ask("POST /live/identities/refund", { body: { ...body, cost: 1 } })).status).toBe(204);
  expect((await ask("POST /live/identities/peek", { body })).json).toMatchObject({ allowed: true });
  await limits.get("login")!.limiter.consume({ user: "ada" });
  expect((await ask("POST /live/identities/reset", { body })).status).toBe(204);
  expect((await ask("POST /live/identities/peek", { body })).json).toMatchObject({
    allowed: true,
    remaining: 1,
  });
});

test.each([
  ["a limit that is not there", { limit: "nope", id: "x" }, 404],
  ["an identity that is not known", { limit: "login", id: "x" }, 404],
  ["no identity", { limit: "login" }, 400],
  ["something else", { limit: "login", id: "x", facts: { user: "ada" } }, 400],
])("%s is refused", async (_, body, status) => {
  const { ask } = await askedBy(["ada"]);
  expect((await ask("POST /live/identities/reset", { body })).status).toBe(status);
});

test("with tokens, reading and changing need one", async () => {
  const { ask, lists, headers } = await askedBy(["ada"], { tokens: ["a-good-token"], isLoopbackOnly: false });
  for (const what of ["GET /live/events", "GET /live/identities?limit=login", "POST /live/identities/reset"])
    expect((await ask(what)).status).toBe(401);
  const { id } = (await lists()).busiest[0]!;
  expect((await ask("POST /live/identities/reset", { headers, body: { limit: "login", id } })).status).toBe(
    204,
  );
});

test("without tokens, on a server that everybody can reach, nothing is changed", async () => {
  const { ask, lists } = await askedBy(["ada"], { isLoopbackOnly: false });
  const { id } = (await lists()).busiest[0]!;
  const body = { limit: "login", id };
  for (const action of ["reset", "refund"])
    expect((await ask(`POST /live/identities/${action}`, { body })).status).toBe(403);
  expect((await ask("POST /live/identities/peek", { body })).json).toMatchObject({ remaining: 0 });
});
