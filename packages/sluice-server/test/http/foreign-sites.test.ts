/** What a web page of another site makes a browser ask is refused on every route, and nothing is charged. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type OutgoingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "sluice";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpApp } from "../../src/http/http-app.js";
import { createLiveView } from "../../src/live/live-view.js";
import { expectProblem } from "./ask.js";
import { routesOf } from "./routes.js";
import { type Served, type ServeOptions, serve } from "./serve.js";

const TOKEN = "a-long-random-token";
const WHOLE = 1_000_000;
const LIMITS = { all: `${WHOLE}/h gcra` };
const folder = mkdtempSync(join(tmpdir(), "sluice-page-"));
writeFileSync(join(folder, "index.html"), "<!doctype html>");
writeFileSync(join(folder, "page.js"), "export {};");
afterAll(() => rmSync(folder, { recursive: true }));

const store = memoryStore();
const live = createLiveView({
  ...{ kind: "memory", store, describe: "memory" },
  ...{ ready: async () => {}, close: async () => {} },
});
const page = { live, folder, isLoopbackOnly: true, hashed: () => false };

let routes: readonly string[] = [];
const servers: Served[] = [];
let served: Served;

async function start(options: ServeOptions = {}): Promise<Served> {
  const server = await serve({ limits: LIMITS, page, ...options });
  servers.push(server);
  return server;
}

beforeAll(async () => {
  served = await start({ hosts: () => ["Sluice.internal"] });
  const nothing = {} as never;
  const app = createHttpApp(
    {
      ...{ limits: nothing, log: nothing, tokens: () => [], version: "0", page },
      ...{ readiness: () => nothing, metrics: async () => "" },
    },
    (listener) => createServer(listener),
  );
  routes = await routesOf(app);
  await app.close();
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** With headers that fetch does not let anybody set; of an event stream, only the beginning. */
function asked({ port }: Served, what: string, headers: OutgoingHttpHeaders = {}): Promise<Heard> {
  const [method, template = ""] = what.split(" ");
  const path = template.replace("{name}", "all");
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) {
        text += chunk;
        if (path === "/live/events") break;
      }
      const fields = new Headers(Object.entries(response.headers).map(([name, value]) => [name, `${value}`]));
      const isJson = fields.get("Content-Type")?.includes("json") === true && text !== "";
      resolve({
        status: response.statusCode!,
        headers: fields,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      });
    });
    sent.once("error", reject).end();
  });
}

async function expectNothingCharged(server = served): Promise<void> {
  const { json } = await asked(server, "POST /v1/limits/all/peek");
  expect(json).toMatchObject({ remaining: WHOLE });
}

/** Those that nobody has registered, too. */
const everywhere = () => [
  ...routes,
  "GET /nothing-here",
  "OPTIONS /v1/limits/all/consume",
  "DELETE /v1/limits",
];

test("the routes are all there", () => {
  expect(routes).toEqual(
    expect.arrayContaining([
      "GET /",
      "GET /healthz",
      "GET /metrics",
      "GET /v1/limits",
      "GET /v1/gate/{name}",
      "HEAD /v1/gate/{name}",
      "POST /v1/limits/{name}/consume",
      "POST /v1/batch",
      "POST /live/identities/reset",
      "GET /live/events",
    ]),
  );
});

const OWN = "localhost:8080";

describe("without tokens", () => {
  test.each([
    ["a name that was made to lead here", "evil.example"],
    ["with a port", "evil.example:8080"],
    ["that looks like this machine", "127.0.0.1.evil.example"],
    ["or like its name", "localhost.evil.example:8080"],
    ["or like one that is configured", "sluice.internal.evil.example"],
    ["an address with a user", "127.0.0.1@evil.example"],
    ["nothing but a port", ":8080"],
    ["brackets around no address", "[evil.example]:80"],
    ["two ports", "127.0.0.1:80:80"],
  ])("every route is closed to a foreign Host: %s", async (_, host) => {
    for (const what of everywhere()) {
      const answer = await asked(served, what, { host });
      expect([what, answer.status]).toEqual([what, 421]);
      if (what.startsWith("HEAD")) continue;
      expectProblem(answer, {
        title: "Misdirected Request",
        detail: expect.stringContaining(`${JSON.stringify(host)} is no name of this server`),
      });
    }
    await expectNothingCharged();
  });

  test("the answer names the host, escaped and shortened, and the setting", async () => {
    const { json, text } = await asked(served, "GET /v1/limits", { host: `\u00e9"<${"x".repeat(5_000)}` });
    expect(json).toMatchObject({ detail: expect.stringMatching(/^"\?\\"<x+…" .* http\.hosts /) });
    expect(text.length).toBeLessThan(600);
  });

  test.each<[string, OutgoingHttpHeaders, string?]>([
    ["a fetch, an image or a script", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["a fetch of another port or subdomain", { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }],
    ["metadata that browsers do not send yet", { "sec-fetch-site": "cross-planet" }],
    ["a frame", { ...linkedFromElsewhere(), "sec-fetch-dest": "iframe" }],
    ["another origin", { origin: "http://evil.example" }],
    ["another port of this machine", { origin: "http://localhost:9090" }],
    ["an origin that begins like ours", { origin: "http://localhost:8080.evil.example" }],
    ["no origin", { origin: "null" }],
    ["no address", { origin: "localhost:8080" }],
    ["an origin that contradicts the metadata", { origin: "http://evil.example", "sec-fetch-site": "none" }],
  ])("every route is closed across sites: %s", async (_, headers) => {
    for (const what of everywhere()) {
      const answer = await asked(served, what, { host: OWN, ...headers });
      const status = what.includes("/v1/gate/") ? 400 : 403;
      expect([what, answer.status]).toEqual([what, status]);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
      if (!what.startsWith("HEAD"))
        expectProblem(answer, { detail: expect.stringContaining("another site") });
    }
    await expectNothingCharged();
  });

  test("a link of another site leads to the page, and to nothing else", async () => {
    for (const what of routes) {
      const { status } = await asked(served, what, { host: OWN, ...linkedFromElsewhere() });
      if (what === "GET /" || what === "HEAD /") expect(status).toBe(200);
      else expect([what, status]).toEqual([what, what.includes("/v1/gate/") ? 400 : 403]);
    }
    await expectNothingCharged();
  });

  test("every route is open as before by its addresses and names, to programs and to its own page", async () => {
    const server = await start({ hosts: () => ["Sluice.internal"] });
    const before = new Map<string, number>();
    for (const what of everywhere()) before.set(what, (await asked(server, what)).status);
    expect(Object.fromEntries(before)).toMatchObject({
      "GET /": 200,
      "GET /v1/limits": 200,
      "GET /v1/gate/{name}": 204,
      "POST /v1/limits/{name}/reset": 204,
      "POST /live/identities/reset": 400,
      "GET /live/events": 200,
      "GET /nothing-here": 404,
      "DELETE /v1/limits": 405,
    });
    const ways: readonly OutgoingHttpHeaders[] = [
      { host: "10.1.2.3:8080" },
      { host: "[::1]" },
      { host: "[fd00::7]:8080" },
      { host: "LOCALHOST" },
      { host: "sluice.INTERNAL:80" },
      { host: OWN, origin: "http://localhost:8080", "sec-fetch-site": "same-origin" },
      { host: OWN, "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
    ];
    for (const what of everywhere()) {
      for (const headers of ways) {
        const { status } = await asked(server, what, headers);
        expect([what, headers, status]).toEqual([what, headers, before.get(what)]);
      }
    }
  });

  test("the name that it listens by is one of its names", async () => {
    const server = await start({ host: "localhost" });
    expect((await asked(server, "GET /v1/limits", { host: "sluice.internal" })).status).toBe(421);
    expect((await asked(server, "GET /v1/limits", { host: "localhost" })).status).toBe(200);
  });

  test("its names are those of the configuration as it is now", async () => {
    let hosts = ["one.internal"];
    const server = await start({ hosts: () => hosts });
    const status = async (host: string) => (await asked(server, "GET /v1/limits", { host })).status;
    expect([await status("one.internal"), await status("two.internal")]).toEqual([200, 421]);
    hosts = ["two.internal"];
    expect([await status("one.internal"), await status("two.internal")]).toEqual([421, 200]);
  });

  test("a form cannot change anything, since no body but JSON is read", async () => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
    for (const what of routes.filter((route) => route.startsWith("POST"))) {
      for (const type of types) {
        const { status } = await asked(served, what, { host: OWN, "content-type": type });
        expect([what, type, status]).toEqual([what, type, 415]);
      }
    }
    await expectNothingCharged();
  });
});

describe("with tokens, which no foreign page knows", () => {
  const authorization = `Bearer ${TOKEN}`;

  test("any name will do, on every route", async () => {
    const server = await start({ tokens: () => [TOKEN] });
    for (const what of everywhere()) {
      const own = await asked(server, what, { authorization });
      expect([401, 403, 421]).not.toContain(own.status);
      const other = await asked(server, what, { authorization, host: "sluice.example" });
      expect([what, other.status]).toEqual([what, own.status]);
    }
  });

  test("pages of other sites are kept out of all but the gate, whose proxy may pass on their headers", async () => {
    const server = await start({ tokens: () => [TOKEN] });
    const headers = { host: "shop.example", origin: "http://evil.example", "sec-fetch-site": "cross-site" };
    for (const what of everywhere()) {
      const { status } = await asked(server, what, { authorization, ...headers });
      expect([what, status]).toEqual([what, what.includes("/v1/gate/") ? 204 : 403]);
    }
    expect((await asked(server, "GET /v1/gate/all", headers)).status).toBe(401);
  });
});

test("behind a proxy, the gate is asked with whatever headers a browser sent it, and nothing else is", async () => {
  const server = await start({ gateBehindProxy: () => true });
  const headers = { host: "shop.example", origin: "http://evil.example", "sec-fetch-site": "cross-site" };
  for (const what of everywhere()) {
    const { status } = await asked(server, what, headers);
    expect([what, status]).toEqual([what, what.includes("/v1/gate/") ? 204 : 421]);
    const { status: across } = await asked(server, what, { ...headers, host: OWN });
    expect([what, across]).toEqual([what, what.includes("/v1/gate/") ? 204 : 403]);
  }
});

/** What a browser sends who follows a link. */
function linkedFromElsewhere(): OutgoingHttpHeaders {
  return { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
}
