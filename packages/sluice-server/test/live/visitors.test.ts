/** The page's files, and who is kept out. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { type LiveServer, serveLive } from "./serve-live.js";

/** With any Host, which fetch does not allow. */
function statusFor(
  { url }: LiveServer,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers }, (response) => {
      response.destroy();
      resolve(response.statusCode!);
    });
    sent.once("error", reject).end();
  });
}

test("the page is there for everybody, under a strict policy, and nothing else of its folder", async () => {
  const server = await serveLive({ tokens: ["a-good-token"] });
  const page = await server.ask("GET /");
  expect(page.text).toContain("<title>page</title>");
  const policy = page.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("content-encoding")).toBe("gzip");
  const plain = await server.ask("GET /", { headers: { "accept-encoding": "identity" } });
  expect([plain.headers.get("content-encoding"), plain.text]).toEqual([null, page.text]);
  expect((await server.ask("GET /page/page.js")).headers.get("content-type")).toMatch("text/javascript");
  for (const path of ["/page/notes.txt", "/page/index.html", "/page/..%2fpackage.json", "/page/"])
    expect(await statusFor(server, path, { authorization: "Bearer a-good-token" })).toBe(404);
});

const LISTS = "/live/identities?limit=login";
const LOGIN = { limits: { login: { rule: "user:1/h" } } };

test.each([
  ["the page itself", {}, 200],
  ["the page by another name of this machine", { host: "localhost:8080" }, 200],
  ["the page over IPv6", { host: "[::1]:8080" }, 200],
  ["a name that was made to lead here", { host: "evil.example" }, 421],
  ["a name that looks like this machine", { host: "127.0.0.1.evil.example" }, 421],
  ["another page", { host: "localhost:8080", origin: "http://evil.example" }, 403],
  ["a page of no origin", { host: "localhost:8080", origin: "null" }, 403],
  ["another port of this machine", { host: "localhost:8080", origin: "http://localhost:9090" }, 403],
  ["its own page", { host: "localhost:8080", origin: "http://localhost:8080" }, 200],
])("without tokens, asked from %s", async (_, headers: Record<string, string>, status) => {
  expect(await statusFor(await serveLive(LOGIN), LISTS, headers)).toBe(status);
});

test("with tokens, any name will do, and any page but our own is kept out", async () => {
  const server = await serveLive({ ...LOGIN, tokens: ["a-good-token"] });
  const authorization = "Bearer a-good-token";
  expect(await statusFor(server, LISTS, { authorization, host: "sluice.example" })).toBe(200);
  const origin = "http://evil.example";
  expect(await statusFor(server, LISTS, { authorization, host: "sluice.example", origin })).toBe(403);
});

test("a foreign form cannot change anything, since it cannot send JSON", async () => {
  const { ask } = await serveLive(LOGIN);
  const answer = await ask("POST /live/identities/reset", {
    headers: { "content-type": "text/plain" },
    body: '{"limit":"login","id":"x"}',
  });
  expect(answer.status).toBe(415);
});

test("who asks too often is refused by a limit of our own", async () => {
  const server = await serveLive(LOGIN);
  const statuses = await Promise.all(Array.from({ length: 150 }, () => statusFor(server, LISTS, {})));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
  expect(statuses).toContain(429);
});
