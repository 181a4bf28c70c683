/** A real nginx in front of a real `sluice serve`, with the very configuration that the guide shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ask } from "./ask.js";
import { type Application, type Guarded, startApplication, startGuarded } from "./guarded-by-nginx.js";

let application: Application;
let guarded: Guarded;
let ask: Ask;
beforeAll(async () => {
  application = await startApplication();
  guarded = await startGuarded(application, { yaml: [["ip:100/m", "ip:5/h"]] });
  ask = guarded.ask;
  application.heard.length = 0;
}, 120_000);
afterAll(async () => {
  await guarded?.stop();
  application?.stop();
});

const as = (key: string) => ({ headers: { "X-Api-Key": key } });

test("by address: what is within the limit comes through, whatever it is, with the headers", async () => {
  const first = await ask("GET /?status=204");
  expect([first.status, first.headers.get("RateLimit")]).toEqual([204, '"ip:5/h";r=4;t=3600']);
  expect(first.headers.get("RateLimit-Policy")).toBe('"ip:5/h";q=5;w=3600');
  expect(first.headers.has("Retry-After")).toBe(false);
  const second = await ask("POST /form?a=b&status=201", { body: "x".repeat(100_000) });
  expect([second.status, second.text]).toEqual([201, "the application"]);
  expect((await ask("HEAD /")).status).toBe(200);
  expect((await ask("GET /?status=403")).text).toBe("the application");
  const last = await ask("GET /?status=500");
  expect([last.status, last.headers.get("RateLimit")]).toEqual([500, expect.stringContaining("r=0;")]);
  expect(application.heard).toEqual([
    "GET /?status=204 0",
    "POST /form?a=b&status=201 100000",
    "HEAD / 0",
    "GET /?status=403 0",
    "GET /?status=500 0",
  ]);
});

test("beyond it: 429, with when to come back, and the application hears nothing", async () => {
  const before = application.heard.length;
  for (const what of ["GET /", "POST /form", "HEAD /"]) {
    const { status, headers } = await ask(what, what.startsWith("POST") ? { body: "{}" } : {});
    expect(status, what).toBe(429);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(3_500);
    expect(headers.get("RateLimit")).toMatch(/^"ip:5\/h";r=0;t=3\d{3}$/);
    expect(headers.get("RateLimit-Policy")).toBe('"ip:5/h";q=5;w=3600');
    expect(headers.get("Content-Type")).toBe("application/problem+json");
    expect(headers.get("Cache-Control")).toBe("no-store");
  }
  expect((await ask("GET /")).json).toEqual({
    type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
    title: "Request cannot be satisfied as assigned quota has been exceeded",
    status: 429,
  });
  expect(application.heard.length).toBe(before);
});

test("by key: each for itself", async () => {
  const statuses = await Promise.all(Array.from({ length: 25 }, () => ask("GET /api/x", as("ada"))));
  const refused = statuses.filter(({ status }) => status === 429);
  expect(statuses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(headers.get("Retry-After")).toBe("1");
  expect((await ask("GET /api/x", as("bob"))).headers.get("RateLimit")).toContain("r=19;");
});

test.each(["", "a&user=bob", "a b", "a%26", "ü", "x".repeat(129), "a?b", "a#b"])(
  "the key %j names nobody, and counts for nobody",
  async (key) => {
    const before = application.heard.length;
    const { status } = await ask("GET /api/x", as(key));
    expect(status).toBe(401);
    expect(application.heard.length).toBe(before);
  },
);

test("nobody asks the gate by himself", async () => {
  expect((await ask("GET /.sluice")).status).toBe(404);
});

/** What a browser sends that follows a link of another site. */
const LINKED = {
  Origin: "https://elsewhere.example",
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": "navigate",
};

test("who follows a link of another site comes through", async () => {
  const { status, headers } = await ask("GET /api/x", { headers: { "X-Api-Key": "linked", ...LINKED } });
  expect([status, headers.get("RateLimit")]).toEqual([200, expect.stringContaining("r=19;")]);
});

test("nginx complained of nothing", () => expect(guarded.log()).toBe(""));

test("without the server, everything passes, and no headers are made up", async () => {
  await guarded.stopServer();
  const { status, headers } = await ask("GET /");
  expect([status, headers.has("RateLimit"), headers.has("Retry-After")]).toEqual([200, false, false]);
  expect((await ask("GET /api/x", as("ada"))).status).toBe(200);
});

const PASSED_ON = [
  ["proxy_pass_request_headers off;", "proxy_pass_request_headers on;"],
  ["proxy_set_header Host localhost;", "proxy_set_header Host $host;"],
] as const;

test.each<[string, string, number, string]>([
  ["by default, it is a mistake that nginx logs", "", 500, "auth request unexpected status: 400"],
  ["with gateBehindProxy, it comes through", "http: { gateBehindProxy: true }\n", 200, ""],
  ["with a token, it comes through", "tokens: [a-long-random-text]\n", 200, ""],
])("where nginx passes on the headers: %s", async (_, settings, expected, complaint) => {
  const passing = await startGuarded(application, {
    yaml: [["limits:", `${settings}limits:`]],
    nginx: [...PASSED_ON, ["# proxy_set_header Authorization", "proxy_set_header Authorization"]],
  });
  const { status } = await passing.ask("GET /api/x", { headers: { "X-Api-Key": "linked", ...LINKED } });
  expect(status).toBe(expected);
  if (complaint === "") expect(passing.log()).toBe("");
  else expect(passing.log()).toContain(complaint);
  await passing.stop();
});

test("with a token, with a mistake in a question, and closed where the server is away", async () => {
  const strict = await startGuarded(application, {
    yaml: [["limits:", "tokens: [a-long-random-text]\nlimits:"]],
    nginx: [
      ["# proxy_set_header Authorization", "proxy_set_header Authorization"],
      ["page?ip=", "page?address="],
      ["error_page 502 504 = @unlimited;", ""],
    ],
  });
  const allowed = await strict.ask("GET /api/x", as("ada"));
  expect([allowed.status, allowed.headers.get("RateLimit")]).toEqual([200, expect.stringContaining("r=19;")]);
  application.heard.length = 0;
  expect((await strict.ask("GET /")).status).toBe(500);
  expect(strict.log()).toContain("auth request unexpected status: 400");
  await strict.stopServer();
  expect((await strict.ask("GET /api/x", as("ada"))).status).toBe(500);
  expect(application.heard).toEqual([]);
  await strict.stop();
});
