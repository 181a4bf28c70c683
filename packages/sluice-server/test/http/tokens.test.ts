/** Where the configuration has tokens, who does not know one learns nothing and changes nothing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectProblem } from "./ask.js";
import { type Served, serve } from "./serve.js";

const [FIRST, SECOND] = ["first-secret-token", "second~secret+token/=="];
const WRONG = "first-secret-tokem";

let known: readonly string[] = [FIRST, SECOND];
let served: Served;
beforeAll(async () => {
  served = await serve({ limits: { all: "2/h gcra" }, tokens: () => known });
});
afterAll(() => served.close());

const bearing = (token: string) => ({ Authorization: `Bearer ${token}` });

const GUARDED = [
  "GET /v1/limits",
  "GET /v1/gate/all",
  "GET /v1/gate/nobody",
  "POST /v1/limits/all/consume",
  "POST /v1/limits/all/reset",
  "POST /v1/batch",
  "GET /metrics",
  "GET /openapi.json",
  "GET /",
  "GET /nothing-here",
  "DELETE /v1/limits",
  "HEAD /metrics",
  "GET /healthz/",
  "GET /HEALTHZ",
];

test.each(GUARDED)("%s needs one", async (what) => {
  const answer = await served.ask(what);
  expect(answer.status).toBe(401);
  expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="sluice"');
  if (!what.startsWith("HEAD")) expectProblem(answer, { title: "Unauthorized" });
});

test.each([
  ["a wrong one", bearing(WRONG)],
  ["a beginning", bearing(FIRST.slice(0, -1))],
  ["both", bearing(`${FIRST},${SECOND}`)],
  ["the empty one", { Authorization: "Bearer " }],
  ["another scheme", { Authorization: `Basic ${Buffer.from(`x:${FIRST}`).toString("base64")}` }],
  ["no scheme", { Authorization: FIRST }],
  ["another header", { "X-Token": FIRST }],
])("%s is none", async (_, headers) => {
  const answer = await served.ask("POST /v1/limits/all/consume", { headers });
  expect(answer.status).toBe(401);
  expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer realm="sluice"(, error="invalid_token")?$/);
  expectProblem(answer, {});
});

test("one in the address is none", async () => {
  expect((await served.ask(`GET /v1/gate/all?token=${FIRST}&access_token=${FIRST}`)).status).toBe(401);
});

test("each of them opens the door, and nothing was counted before", async () => {
  const { json } = await served.ask("POST /v1/limits/all/peek", { headers: bearing(FIRST) });
  expect(json).toMatchObject({ remaining: 2 });
  expect((await served.ask("GET /metrics", { headers: bearing(SECOND) })).status).toBe(200);
  const lower = { authorization: `bearer ${SECOND}` };
  expect((await served.ask("GET /v1/limits", { headers: lower })).status).toBe(200);
  expect((await served.ask("GET /nothing-here", { headers: bearing(FIRST) })).status).toBe(404);
});

test("they are those of the configuration as it is now", async () => {
  known = [SECOND];
  expect((await served.ask("GET /v1/limits", { headers: bearing(FIRST) })).status).toBe(401);
  known = [FIRST, SECOND];
  expect((await served.ask("GET /v1/limits", { headers: bearing(FIRST) })).status).toBe(200);
});

test.each(["/healthz", "/readyz"])("%s is open to all", async (path) => {
  expect((await served.ask(`GET ${path}`)).status).toBe(200);
  expect((await served.ask(`HEAD ${path}`, { headers: bearing(WRONG) })).status).toBe(200);
  expect((await served.ask(`GET ${path}?verbose`)).status).toBe(200);
});

test("none appears in an answer or a log", async () => {
  const questions = [...GUARDED, "GET /v1/gate/%zz", "POST /v1/limits/all/refund"];
  for (const token of [FIRST, SECOND, WRONG]) {
    for (const what of questions) {
      const body = what.startsWith("POST") ? `{"facts": "${token}` : undefined;
      const { text, headers } = await served.ask(what, { headers: bearing(token), ...(body && { body }) });
      expect(text + JSON.stringify([...headers])).not.toContain(token);
    }
  }
  expect(JSON.stringify(served.logged)).not.toMatch(/first-secret|second~secret/);
});
