/** Bytes that no HTTP library would send: answered as they should be, and nobody else is disturbed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "../resp/raw-client.js";
import { rawAnswers, statusesIn } from "./raw-answers.js";
import { BACKENDS, type Served } from "./serve.js";

const LAST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

describe.each(BACKENDS)("on $name", ({ serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: { api: "user:2/h gcra", wide: "user:1000000/h gcra" } });
  });
  afterAll(() => served.close());

  async function sent(bytes: string): Promise<string> {
    using client = new RawClient(served.port);
    client.send(bytes);
    return await client.rest();
  }

  test("pipelined requests are answered in their order", async () => {
    const paths = Array.from({ length: 50 }, (_, at) =>
      at % 2 === 0 ? `/v1/gate/wide?user=p${at}` : `/v1/gate/no`,
    );
    const text = await sent(
      paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join("") + LAST,
    );
    expect(statusesIn(text)).toEqual([...paths.map((_, at) => (at % 2 === 0 ? 204 : 404)), 200]);
  });

  test("what was asked before nonsense is answered before it", async () => {
    const body = '{"facts":{"user":"pipe"}}';
    const post = `POST /v1/limits/wide/consume HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const text = await sent(
      `GET /v1/gate/wide?user=pipe HTTP/1.1\r\nHost: localhost\r\n\r\n${post}nonsense\r\n\r\n`,
    );
    const answers = rawAnswers(text);
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 400]);
    expect(answers[2]?.headers["content-type"]).toBe("application/problem+json");
  });

  test("who half-closes after asking is answered", async () => {
    using client = new RawClient(served.port);
    client.socket.end("GET /v1/gate/wide?user=half HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(statusesIn(await client.rest())).toEqual([204]);
  });

  test("who leaves at once disturbs nobody", async () => {
    for (let time = 0; time < 50; time += 1) {
      using client = new RawClient(served.port);
      client.send("GET /v1/gate/wide?user=gone HTTP/1.1\r\nHost: localhost\r\n\r\n");
      client.socket.resetAndDestroy();
    }
    expect(statusesIn(await sent(LAST))).toEqual([200]);
    expect(served.logged).toEqual([]);
  });

  test.each([
    ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["a Redis command", "*1\r\n$4\r\nPING\r\n", 400],
    ["a wrong version", "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n", 400],
    ["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["control characters in the path", "GET /v1/gate/a\x01b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["a bare CR in a header", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n", 400],
    ["a NUL in a header", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\0c\r\n\r\n", 400],
    [
      "two lengths",
      "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    [
      "a length and chunks",
      "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a negative length", "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400],
    [
      "chunks that are none",
      "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
    ["an address without end", `GET /v1/gate/${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    [
      "headers without end",
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${"A: b\r\n".repeat(10_000)}\r\n`,
      431,
    ],
    [
      "an expectation",
      "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
      417,
    ],
  ])("%s", async (_, bytes, status) => {
    const answers = rawAnswers(await sent(bytes));
    expect(answers).toMatchObject([{ status, headers: { "content-type": "application/problem+json" } }]);
    const problem: unknown = JSON.parse(answers[0]!.body);
    expect(problem).toEqual({
      type: "about:blank",
      title: expect.any(String),
      status,
      detail: expect.any(String),
    });
  });

  test("HEAD has the headers of GET and no body", async () => {
    const head = "HEAD /v1/limits HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answers = rawAnswers(await sent(head + LAST), ["HEAD"]);
    expect(answers).toMatchObject([{ status: 200, body: "" }, { status: 200 }]);
    const missing = await sent(`HEAD /v1/gate/no HTTP/1.1\r\nHost: localhost\r\n\r\n${LAST}`);
    expect(rawAnswers(missing, ["HEAD"]).map(({ status }) => status)).toEqual([404, 200]);
  });

  test("a path as proxies write it", async () => {
    const text = await sent(
      `GET http://sluice.example/v1/gate/wide?user=absolute HTTP/1.1\r\nHost: localhost\r\n\r\n${LAST}`,
    );
    expect(statusesIn(text)).toEqual([204, 200]);
  });

  test("an upgrade is not followed", async () => {
    using client = new RawClient(served.port);
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    expect(await client.text(20)).toMatch(/^HTTP\/1.1 200 /);
    const tunnel = await sent("CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(tunnel).toBe("");
  });

  test("who asks and asks and never reads is let go, and others are served", async () => {
    using client = new RawClient(served.port);
    client.socket.pause();
    const before = process.memoryUsage().rss;
    for (let time = 0; time < 20; time += 1)
      client.send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(500));
    for (let time = 0; time < 20; time += 1) expect(statusesIn(await sent(LAST))).toEqual([200]);
    client.socket.resume();
    await client.rest();
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });
});
