/** What a caller can do wrong, and the status and the problem document that tell him so. */

import { memoryStore, type Store } from "sluice";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, expectProblem } from "./ask.js";
import { type Served, serve } from "./serve.js";

let served: Served;
beforeAll(async () => {
  served = await serve({ limits: { api: "user:2/h gcra", all: "2/h gcra" } });
});
afterAll(() => served.close());

function expectStatus(answer: Answer, status: number, detail?: string): void {
  expect(answer.status).toBe(status);
  expectProblem(answer, detail === undefined ? {} : { detail: expect.stringContaining(detail) });
}

describe("places", () => {
  test.each([
    "GET /",
    "GET /v1",
    "GET /v1/limits/",
    "GET /v2/limits",
    "POST /v1/limits/api",
    "POST /v1/limits/api/consume/",
    "POST /v1/limits/api/forget",
    "POST /v1/limits/api/x/consume",
    "GET /favicon.ico",
    "GET /.env",
    "GET /metrics/../v1/../nothing",
  ])("%s is nothing here", async (what) => expectStatus(await served.ask(what), 404, "/openapi.json"));

  test.each([
    "",
    "nobody",
    "API",
    "__proto__",
    "constructor",
    "toString",
    "..%2F..%2Fhealthz",
    "%2e%2e%2fapi",
    "api%2F",
    "api%00",
    "api%0d%0aSet-Cookie:%20a=b",
    "%F0%9F%98%80",
    `${"x".repeat(101)}`,
    "long",
  ])("%s is no limit", async (text) => {
    const name = text === "long" ? "x".repeat(10_000) : text;
    for (const what of [`GET /v1/gate/${name}?user=ada`, `POST /v1/limits/${name}/consume`]) {
      const answer = await served.ask(what);
      expectStatus(answer, 404, "/v1/limits");
      expect(answer.headers.has("Set-Cookie")).toBe(false);
    }
  });

  test.each(["%zz", "%", "%FF", "%C3"])("%s is no name at all", async (name) => {
    expectStatus(await served.ask(`GET /v1/gate/${name}?user=ada`), 400);
  });

  test.each([
    ["GET /v1/limits/api/consume", "POST"],
    ["PUT /v1/limits/api/reset", "POST"],
    ["OPTIONS /v1/limits/api/consume", "POST"],
    ["POST /v1/gate/api", "GET, HEAD"],
    ["DELETE /v1/limits", "GET, HEAD"],
    ["GET /v1/batch", "POST"],
    ["POST /healthz", "GET, HEAD"],
    ["PATCH /metrics", "GET, HEAD"],
  ])("%s is the wrong method", async (what, allowed) => {
    const answer = await served.ask(what);
    expectStatus(answer, 405, allowed);
    expect(answer.headers.get("Allow")).toBe(allowed);
  });
});

describe("bodies", () => {
  const consume = (body: unknown, headers?: Readonly<Record<string, string>>) =>
    served.ask("POST /v1/limits/api/consume", { body, ...(headers && { headers }) });

  test.each([
    ["{", ""],
    ["{'facts': {}}", ""],
    ["undefined", ""],
    ['{"facts": {"user": NaN}}', ""],
    ["[]", "object"],
    ["null", "object"],
    ['"user"', "object"],
    ['{"fact": {"user": "ada"}}', '"fact"'],
    ['{"facts": null}', "facts"],
    ['{"facts": ["user"]}', "facts"],
    ['{"facts": "user"}', "facts"],
    ['{"facts": {"user": {}}}', "facts/user"],
    ['{"facts": {"user": ["ada"]}}', "facts/user"],
    ['{"facts": {"user": 1e400}}', "facts/user"],
    ['{"facts": {"user": "ada"}, "cost": 0}', "cost"],
    ['{"facts": {"user": "ada"}, "cost": -1}', "cost"],
    ['{"facts": {"user": "ada"}, "cost": 1.5}', "cost"],
    ['{"facts": {"user": "ada"}, "cost": "1"}', "cost"],
    ['{"facts": {"user": "ada"}, "cost": null}', "cost"],
    ['{"facts": {"user": "ada"}, "cost": 9007199254740992}', "cost"],
    ['{"facts": {"user": "ada"}, "cost": 1e400}', "cost"],
    ['{"facts": {}}', '"user"'],
    ["{}", '"user"'],
    ['{"facts": {"user": ""}}', '"user"'],
    ['{"facts": {"__proto__": {"user": "ada"}}}', ""],
    ['{"facts": {"__proto__": "ada"}}', ""],
    ['{"__proto__": {"facts": {"user": "ada"}}}', ""],
    ['{"facts": {"constructor": {"prototype": {"user": "ada"}}}}', ""],
    ['{"facts": {"constructor": "ada", "toString": "ada"}}', '"user"'],
  ])("%j is 400", async (body, detail) => expectStatus(await consume(body), 400, detail));

  test.each([
    ["arrays without end", `{"facts": ${"[".repeat(30_000)}`, ""],
    ["arrays", `{"facts": {"user": ${"[".repeat(30_000)}${"]".repeat(30_000)}}}`, "facts/user"],
    ["objects", `{"facts": ${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`, "facts/a"],
  ])("deeply nested %s are 400", async (_, body, detail) => expectStatus(await consume(body), 400, detail));

  test("nothing of this was counted", async () => {
    const { json } = await consume({ facts: { user: "ada" } });
    expect(json).toMatchObject({ remaining: 1 });
  });

  test("a reset takes no cost", async () => {
    const body = { facts: { user: "ada" }, cost: 1 };
    expectStatus(await served.ask("POST /v1/limits/api/reset", { body }), 400, '"cost"');
  });

  test.each([
    "text/plain",
    "text/plain; charset=utf-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/json-seq",
    "nonsense",
  ])("%s is 415", async (type) => {
    const answer = await consume('{"facts":{"user":"ada"}}', { "Content-Type": type });
    expectStatus(answer, 415, "application/json");
  });

  test.each(["application/json; charset=utf-8", "Application/JSON"])("%s is fine", async (type) => {
    const { status } = await consume('{"facts":{"user":"bob"}}', { "Content-Type": type });
    expect(status).toBe(200);
  });

  test.each([65_537, 1_000_000, 20_000_000])("%d bytes are 413, and the answer arrives", async (length) => {
    const start = '{"facts":{"user":"';
    const body = `${start}${"x".repeat(length - start.length - 3)}"}}`;
    for (let time = 0; time < 3; time += 1) expectStatus(await consume(body), 413, "65,536");
  });

  test("65,536 bytes are not too many", async () => {
    const start = '{"facts":{"user":"';
    const { status, json } = await consume(`${start}${"x".repeat(65_536 - start.length - 3)}"}}`);
    expect([status, json]).toEqual([200, expect.objectContaining({ remaining: 1 })]);
  });

  test("a long name of a mistake does not come back whole", async () => {
    const { text } = await consume({ ["x".repeat(60_000)]: 1 });
    expect(text.length).toBeLessThan(1_000);
    const facts = Object.fromEntries(Array.from({ length: 15 }, (_, at) => ["x".repeat(4_000) + at, 1]));
    expect((await consume({ facts })).text.length).toBeLessThan(1_000);
  });
});

test("what goes wrong on our side is logged, and not told", async () => {
  const store: Store = Object.assign(Object.create(memoryStore()), {
    decide() {
      throw new Error("the password is 1234");
    },
  });
  const broken = await serve({ limits: { all: "1/h" }, store });
  const answer = await broken.ask("GET /v1/gate/all");
  expectStatus(answer, 500);
  expect(answer.text).not.toContain("1234");
  expect(broken.logged).toMatchObject([{ err: { message: "the password is 1234" } }]);
  expectStatus(await broken.ask("POST /v1/batch", { body: { requests: [{ limit: "all" }] } }), 500);
  await broken.close();
});
