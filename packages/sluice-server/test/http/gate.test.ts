/** The gate that proxies ask: a status, the standard headers, and never a bucket shared by mistake. */
import { createGate } from "sluice/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "../resp/raw-client.js";
import { expectProblem, expectRefusal } from "./ask.js";
import { statusesIn } from "./raw-answers.js";
import { BACKENDS, type Served, serve } from "./serve.js";

const LIMITS = {
  api: "user:2/h gcra",
  login: "ip:5/m gcra or user:20/h gcra",
  both: "ip:5/m gcra or user:2/h gcra",
  wide: "user:1000000/d gcra",
  never: "user:0/h",
  quiet: { rule: "user:1/h gcra", shadow: true },
};

describe.each(BACKENDS)("on $name", ({ serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  const gate = (path: string) => served.ask(`GET /v1/gate/${path}`);

  test("204 while it fits, then 429, each with the standard headers", async () => {
    const first = await gate("api?user=ada");
    expect([first.status, first.text]).toEqual([204, ""]);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "ratelimit-policy": '"user:2/h gcra";q=2;w=3600',
      ratelimit: '"user:2/h gcra";r=1;t=1800',
      "cache-control": "no-store",
    });
    expect(first.headers.has("Retry-After")).toBe(false);
    await gate("api?user=ada");

    const refused = await gate("api?user=ada");
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "ratelimit-policy": '"user:2/h gcra";q=2;w=3600',
      ratelimit: expect.stringMatching(/^"user:2\/h gcra";r=0;t=1(800|7\d\d)$/),
      "retry-after": expect.stringMatching(/^1(800|7\d\d)$/),
    });
    expectRefusal(refused, {
      type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
      "violated-policies": ["user:2/h gcra"],
    });
    expect((await gate("api?user=bob")).status).toBe(204);
  });

  test.each([401, 403, 429, 503])("a refusal is %d where that is asked for", async (status) => {
    const refused = await gate(`api?user=chosen&cost=3&status=${status}`);
    expect(refused.status).toBe(status);
    expectRefusal(refused, { "violated-policies": ["user:2/h gcra"] });
    expect((await gate(`wide?user=chosen&status=${status}`)).status).toBe(204);
  });

  test("it says literally what the library's own gate says", async () => {
    const own = createGate("ip:5/m gcra or user:2/h gcra", { facts: { user: () => "ada" } });
    const request = { method: "GET", path: "/", address: "192.0.2.9", header: () => undefined };
    await own.enter(undefined, request);
    await own.enter(undefined, request);
    const passage = await own.enter(undefined, request);
    if (passage.pass) throw new Error("It passed.");
    const { status, headers, body } = passage.refusal;
    await gate("both?user=ada&ip=192.0.2.9&cost=2");
    const refused = await gate("both?user=ada&ip=192.0.2.9");
    expect([refused.status, refused.text]).toEqual([status, body]);
    // RateLimit and Retry-After tell the seconds that are left.
    for (const name of ["Content-Type", "Cache-Control", "RateLimit-Policy"])
      expect(refused.headers.get(name)).toBe(headers[name]);
  });

  test("several limits are told of, and those that refused", async () => {
    await gate("login?ip=192.0.2.1&user=eve&cost=5");
    const refused = await gate("login?ip=192.0.2.1&user=eve");
    expect(refused.headers.get("RateLimit")).toMatch(
      /^"ip:5\/m gcra";r=0;t=1[12],"user:20\/h gcra";r=15;t=\d+$/,
    );
    expectRefusal(refused, { "violated-policies": ["ip:5/m gcra"] });
  });

  test("what can never pass has no instant at which to come back", async () => {
    const refused = await gate("never?user=ada");
    expect(refused.status).toBe(429);
    expect(refused.headers.has("Retry-After")).toBe(false);
  });

  test("in shadow mode everything passes", async () => {
    for (let time = 0; time < 3; time += 1) expect((await gate("quiet?user=ada")).status).toBe(204);
  });

  test("a cost, and facts that nobody asked for", async () => {
    expect((await gate("api?user=cy&cost=2&city=Bern&x=")).status).toBe(204);
    expect((await gate("api?user=cy")).status).toBe(429);
  });

  test("one value is one bucket, however it is written", async () => {
    for (const value of ["Z%C3%BCrich%20a%26b%3D%2B", "%5a%c3%bcrich+a%26b=%2b"]) {
      const { status } = await gate(`api?cost=2&user=${value}`);
      expect(status).toBe(value.startsWith("Z") ? 204 : 429);
    }
    using client = new RawClient(served.port);
    client.send("GET /v1/gate/api?user=Z\xc3\xbcrich HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(statusesIn(await client.rest())).toEqual([400]);
  });

  test("ten thousand characters", async () => {
    const long = "x".repeat(10_000);
    expect((await gate(`api?cost=2&user=${long}`)).status).toBe(204);
    expect((await gate(`api?cost=1&user=${long}`)).status).toBe(429);
    expect((await gate(`api?cost=2&user=${long}y`)).status).toBe(204);
  });
});

describe("mistakes are 400, and count nowhere", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  test.each([
    ["", "no facts"],
    ["?", "no facts"],
    ["?user", "no value"],
    ["?user=", "an empty value"],
    ["?usr=ada", "another name"],
    ["?User=ada", "another case"],
    ["?USER[]=ada", "brackets"],
    ["?user=ada&user=bob", "a fact twice"],
    ["?user=ada&us%65r=bob", "a fact twice, in disguise"],
    ["?user=ada&x=1&x=2", "another twice"],
    ["?user=%FF", "no UTF-8"],
    ["?user=%zz", "no escape"],
    ["?user=ada&%80=1", "no UTF-8 in a name"],
    ["?user=ada&cost=0", "cost"],
    ["?user=ada&cost=-1", "cost"],
    ["?user=ada&cost=NaN", "cost"],
    ["?user=ada&cost=1e3", "cost"],
    ["?user=ada&cost=0x10", "cost"],
    ["?user=ada&cost=1.5", "cost"],
    ["?user=ada&cost=+1", "cost"],
    ["?user=ada&cost=%201", "cost"],
    ["?user=ada&cost=", "cost"],
    ["?user=ada&cost=1&cost=2", "cost"],
    ["?user=ada&cost=9007199254740992", "cost"],
    ["?user=ada&cost=99999999999999999999", "cost"],
    ["?user=ada&status=200", "status"],
    ["?user=ada&status=204", "status"],
    ["?user=ada&status=4.29e2", "status"],
    ["?user=ada&status=", "status"],
    ["?user=ada&status=403&status=403", "status"],
  ])("%s (%s)", async (query) => {
    const answer = await served.ask(`GET /v1/gate/api${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.has("RateLimit")).toBe(false);
    expectProblem(answer, answer.json as object);
    expect(
      (await served.ask("POST /v1/limits/api/peek", { body: { facts: { user: "ada" } } })).json,
    ).toMatchObject({
      remaining: 2,
    });
  });

  test("HEAD is asked and answered as GET is", async () => {
    const [first, second] = [
      await served.ask("HEAD /v1/gate/wide?user=h"),
      await served.ask("GET /v1/gate/wide?user=h"),
    ];
    expect([first.status, second.status]).toEqual([204, 204]);
    expect(second.headers.get("RateLimit")).toContain("r=999998");
  });
});
