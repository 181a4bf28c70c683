/** Redis is killed under the server: every request is answered as the policy says; how soon, the outage test tells. */
import { randomUUID } from "node:crypto";
import { createSluice } from "sluice";
import { createGate } from "sluice/http";
import type { OnFailure, RedisStore } from "sluice/redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { expectProblem, expectRefusal } from "./ask.js";
import { openRedis, type Served, serve } from "./serve.js";

const DEADLINE_MS = 300;

const POLICIES = ["local", "allow", "deny", "throw"] as const;
const ABOUT = "https://iana.org/assignments/http-problem-types";

let redis: RedisServer;
let closeStore = async () => {};
let store: RedisStore;
let served: Served;

beforeAll(async () => {
  redis = await startServer();
  const { store: opened, close } = await openRedis(redis.url, { deadlineMs: DEADLINE_MS });
  closeStore = close;
  store = opened;
  const limitOf = (onFailure: OnFailure) => [onFailure, { rule: "user:10/m gcra", onFailure }] as const;
  const limits = Object.fromEntries(POLICIES.map(limitOf));
  served = await serve({ namespace: randomUUID(), store, limits });
  for (const policy of POLICIES) expect(await consume(policy)).toMatchObject({ json: { source: "store" } });
  redis.pause();
  await Promise.all(POLICIES.map(consume));
  redis.resume();
  await redis.kill();
});
afterAll(async () => {
  await served?.close();
  await closeStore();
  await redis?.stop();
});

const consume = (limit: OnFailure) =>
  served.ask(`POST /v1/limits/${limit}/consume`, { body: { facts: { user: "ada" } } });
const gate = (limit: OnFailure, query = "") => served.ask(`GET /v1/gate/${limit}?user=bob${query}`);

describe.each([
  ["local", true, 9],
  ["allow", true, 10],
  ["deny", false, 0],
] as const)("%s", (policy, allowed, remaining) => {
  test("says that it answered", async () => {
    const { status, json } = await consume(policy);
    expect(status).toBe(200);
    expect(json).toMatchObject({ allowed, source: "fallback", policy });
  });

  test("at the gate", async () => {
    const { status, headers } = await gate(policy);
    expect(status).toBe(allowed ? 204 : 503);
    // Where a policy said yes or no, nobody knows how the limit stands.
    const standing = policy === "local" ? expect.stringContaining(`r=${remaining};`) : null;
    expect(headers.get("RateLimit")).toEqual(standing);
  });
});

test("who is refused since the store is away is told so, and when to come back", async () => {
  const answer = await gate("deny");
  expectRefusal(answer, { type: `${ABOUT}#temporary-reduced-capacity`, "violated-policies": [] });
  expect(answer.headers.get("Retry-After")).toBe("1");
});

test("and literally as the library's own gate says it", async () => {
  const facts = { user: () => "bob" };
  const own = createGate("user:10/m gcra", { sluice: createSluice({ store }), onFailure: "deny", facts });
  const passage = await own.enter(undefined, {
    ...{ method: "GET", path: "/", address: "192.0.2.9" },
    header: () => undefined,
  });
  const { status, text, headers } = await gate("deny");
  expect(passage).toMatchObject({ pass: false, refusal: { status, body: text } });
  if (passage.pass) return;
  for (const name of Object.keys(passage.refusal.headers))
    expect(headers.get(name)).toBe(passage.refusal.headers[name]);
});

test("a proxy that knows only some statuses gets the one it knows", async () => {
  const answer = await gate("deny", "&status=403");
  expect(answer.status).toBe(403);
  expectRefusal(answer, { type: `${ABOUT}#temporary-reduced-capacity`, "violated-policies": [] });
});

test("throw is a failure, and never a refusal", async () => {
  for (const answer of [await consume("throw"), await gate("throw", "&status=403")]) {
    expect(answer.status).toBe(503);
    expectProblem(answer, { code: "SLUICE_STORE_UNAVAILABLE" });
    expect(answer.headers.has("RateLimit")).toBe(false);
  }
});

test("a reset fails under every policy, since nothing was forgotten", async () => {
  for (const policy of POLICIES) {
    const answer = await served.ask(`POST /v1/limits/${policy}/reset`, { body: { facts: { user: "ada" } } });
    expect(answer.status).toBe(503);
    expectProblem(answer, { code: "SLUICE_STORE_UNAVAILABLE" });
  }
});

test("in a batch, each by its own policy", async () => {
  const requests = POLICIES.map((limit) => ({ limit, facts: { user: "cy" } }));
  const { status, json } = await served.ask("POST /v1/batch", { body: { requests } });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    answers: [
      { decision: { policy: "local" } },
      { decision: { policy: "allow" } },
      { decision: { policy: "deny" } },
      { problem: { status: 503, code: "SLUICE_STORE_UNAVAILABLE" } },
    ],
  });
});

test("nothing of it is an error of ours", () => expect(served.logged).toEqual([]));
