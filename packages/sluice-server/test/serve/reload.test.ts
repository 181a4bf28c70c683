/** A configuration that changes under a server: what counts at once, what later, and what is refused. */
import { expect, test } from "vitest";
import { statusesIn } from "../http/raw-answers.js";
import { RawClient } from "../resp/raw-client.js";
import { type Sluice, startSluice } from "./sluice-process.js";

async function reload(server: Sluice, config: string): Promise<void> {
  const before = server.logged("configuration").length;
  server.write(config);
  server.signal("SIGHUP");
  await server.heard("configuration", before + 1);
}

async function namesOf(server: Sluice, headers: Record<string, string> = {}): Promise<readonly unknown[]> {
  const { limits } = (await (await server.fetch("/v1/limits", { headers })).json()) as {
    limits: { name: string }[];
  };
  return limits.map(({ name }) => name);
}

const remaining = async (server: Sluice, name: string) =>
  ((await server.ask("SLUICE.CONSUME", name)) as number[])[1];

test("limits come, go and change; who did not change keeps his counters", async () => {
  await using server = await startSluice({ config: "limits: { same: 10/h, other: 10/h, old: 10/h }" });
  expect(await remaining(server, "same")).toBe(9);
  expect(await remaining(server, "other")).toBe(9);
  await server.ask("RATELIMIT", "key", "1000000000000", "5000000000000");

  // Noticed without a signal.
  server.write("limits: { new: 10/h, same: 10/h, other: 20/h }");
  await server.heard("read again");
  expect(server.logged("read again")).toMatchObject([
    { added: ["new"], removed: ["old"], changed: ["other"], tokensChanged: false },
  ]);
  expect(await namesOf(server)).toEqual(["new", "same", "other"]);
  expect(await remaining(server, "same")).toBe(8);
  expect(await remaining(server, "other")).toBeGreaterThan(17);
  expect(await server.ask("SLUICE.CONSUME", "old")).toBeInstanceOf(Error);
  expect((await server.post("/v1/limits/old/consume", {})).status).toBe(404);
  expect(await server.ask("RATELIMIT", "key", "1000000000000", "5000000000000")).toMatchObject([
    1,
    3,
    0,
    expect.any(Number),
  ]);
});

test("the names that it is asked by change, and whether a proxy asks the gate", async () => {
  await using server = await startSluice({ config: "limits: { all: 100/s }" });
  const asks = async (path: string) => {
    using client = new RawClient(server.httpPort);
    client.send(`GET ${path} HTTP/1.1\r\nHost: sluice.internal\r\nConnection: close\r\n\r\n`);
    return statusesIn(await client.rest())[0];
  };
  expect([await asks("/v1/limits"), await asks("/v1/gate/all")]).toEqual([421, 421]);
  await reload(server, "http: { gateBehindProxy: true }\nlimits: { all: 100/s }");
  expect([await asks("/v1/limits"), await asks("/v1/gate/all")]).toEqual([421, 204]);
  await reload(server, "http: { hosts: [sluice.internal] }\nlimits: { all: 100/s }");
  expect([await asks("/v1/limits"), await asks("/v1/gate/all")]).toEqual([200, 204]);
});

test("tokens change for both surfaces", async () => {
  await using server = await startSluice({ config: "tokens: [first-token]\nlimits: { all: 100/s }" });
  const asks = async (token: string) => [
    (await server.fetch("/v1/limits", { headers: { Authorization: `Bearer ${token}` } })).status,
    await server.ask("AUTH", token),
  ];
  const refused = [401, expect.objectContaining({ message: expect.stringMatching(/^WRONGPASS/) })];
  expect(await asks("first-token")).toEqual([200, "OK"]);
  expect(await asks("second-token")).toEqual(refused);
  await reload(server, "tokens: [second-token]\nlimits: { all: 100/s }");
  expect(await asks("first-token")).toEqual(refused);
  expect(await asks("second-token")).toEqual([200, "OK"]);
  expect(server.logged("read again")).toMatchObject([{ tokensChanged: true }]);
  expect(server.err).not.toContain("-token");
});

test("what is refused leaves the last good configuration in force", async () => {
  const GOOD = "tokens: [a-long-random-text]\nlimits: { good: 1/s }";
  await using server = await startSluice({ config: GOOD, args: ["--http", "0.0.0.0:0"] });
  const headers = { Authorization: "Bearer a-long-random-text" };

  await reload(server, "tokens: [another-random-text]\nlimits:\n  good: 1/sec\n  bad: 5\n");
  expect(server.logged("stays in force")).toMatchObject([
    { level: 50, reason: expect.stringMatching(/:3:11: [\s\S]*:4:8: /) },
  ]);
  expect(await namesOf(server, headers)).toEqual(["good"]);

  await reload(server, "limits: { open: 1/s }");
  expect(server.logged("stays in force")).toMatchObject([
    {},
    { level: 50, reason: expect.stringContaining("Beyond loopback, whoever asks must have a token") },
  ]);
  expect((await server.fetch("/v1/limits")).status).toBe(401);
  expect(await server.ask("SLUICE.LIMITS")).toBeInstanceOf(Error);

  await reload(server, GOOD.replace("good", "better"));
  expect(await namesOf(server, headers)).toEqual(["better"]);
});

test("another namespace or store is said to need a new start, another password, too", async () => {
  const STORE = "store: redis://:geheim@127.0.0.1:1\n";
  await using server = await startSluice({ config: `namespace: a\n${STORE}limits: { all: 10/h }` });
  const versions = [
    [`namespace: b\n${STORE}`, ["namespace"]],
    ["namespace: a\nstore: memory\n", ["store"]],
    ["namespace: a\nstore: redis://:geheimer@127.0.0.1:1\n", ["store"]],
    ["namespace: b\nstore: { url: redis://:geheim@127.0.0.1:1, onFailure: deny }\n", ["namespace", "store"]],
    [`namespace: a\n${STORE}`, []],
  ] as const;
  const told: unknown[] = [];
  for (const [index, [version, settings]] of versions.entries()) {
    await reload(server, `${version}limits: { all: 10/h, more: 10/h }`);
    expect(await remaining(server, "all")).toBe(9 - index);
    told.push(...settings);
    expect(server.logged("counts from the next start").map(({ setting }) => setting)).toEqual(told);
  }
  expect(server.err).not.toContain("geheim");
});
