/** Stores open on every kind of server, say what is wrong, and leave nothing behind. */
import { inspect } from "node:util";
import { createSluice } from "sluice";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Address } from "../../../sluice/test/redis-servers/client-kind.js";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { type OpenOptions, openStore } from "../../src/store/open-store.js";

const PATIENT: OpenOptions = { deadlineMs: 20_000, onFailure: "throw" };
const ONCE: OpenOptions = { ...PATIENT, reconnect: false };

let locked: RedisServer;

beforeAll(async () => {
  locked = await startServer({ password: "ge/h@im" });
});
afterAll(() => locked.stop());

const list = (addresses: readonly Address[]) =>
  addresses.map(({ host, port }) => `${host}:${port}`).join(",");

const urls: readonly [string, () => string][] = [
  ["memory", () => "memory"],
  ["a single server", () => `redis://${list([inject("servers").single])}`],
  ["another database", () => `redis://${list([inject("servers").single])}/7`],
  ["a server with a password", () => `redis://:ge%2Fh%40im@${list([locked])}`],
  ["a Cluster", () => `redis-cluster://${list(inject("servers").cluster.nodes)}`],
  [
    "Sentinels",
    () => `redis-sentinel://${list(inject("servers").sentinel.sentinels)}/${inject("servers").sentinel.name}`,
  ],
];

test.each(urls)("%s decides", async (_, url) => {
  const opened = openStore(url(), PATIENT);
  try {
    await opened.ready();
    const namespace = `open-${Math.random()}`;
    const limiter = createSluice({ namespace, store: opened.store }).limit("user:2/h or ip:2/h");
    const facts = { user: "ada", ip: "192.0.2.7" };
    const remaining = [];
    for (let call = 0; call < 3; call += 1) remaining.push((await limiter.consume(facts)).allowed);
    expect(remaining).toEqual([true, true, false]);
    expect(opened.describe).not.toContain("@");
  } finally {
    await opened.close();
  }
});

test.each([
  ["nobody listens", () => "redis://127.0.0.1:1", "ECONNREFUSED"],
  ["the password is missing", () => `redis://${list([locked])}`, "NOAUTH"],
  ["the password is wrong", () => `redis://:geheim@${list([locked])}`, "WRONGPASS"],
  [
    "the database does not exist",
    () => `redis://${list([inject("servers").single])}/9999`,
    "DB index is out of range",
  ],
  [
    "it is no Cluster",
    () => `redis-cluster://${list([inject("servers").single])}`,
    "cluster support disabled",
  ],
  [
    "no node of the Cluster is there",
    () => "redis-cluster://127.0.0.1:1,127.0.0.1:2",
    "Failed to refresh slots",
  ],
  ["no Sentinel is there", () => "redis-sentinel://127.0.0.1:1/mymaster", "All sentinels are unreachable"],
])("when %s, it says so at once and without the password", async (_, url, words) => {
  const told: Error[] = [];
  const opened = openStore(url(), { ...ONCE, onError: (error) => told.push(error) });
  const error = await opened.ready().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await opened.close();
  expect(String(error)).toContain(words);
  expect(told.length).toBeGreaterThan(0);
  expect(inspect([error, told], { depth: 10, showHidden: true })).not.toContain("geheim");
});

test("a store that was lost answers by its policy, and comes back", async () => {
  const server = await startServer();
  const opened = openStore(server.url, { deadlineMs: 5_000, onFailure: "deny" });
  try {
    await opened.ready();
    const limiter = createSluice({ store: opened.store }).limit("user:5/h");
    expect((await limiter.consume({ user: 1 })).source).toBe("store");
    await server.kill();
    let decision = await limiter.consume({ user: 1 });
    expect([decision.source, decision.allowed]).toEqual(["fallback", false]);
    await server.restart();
    const limit = performance.now() + 20_000;
    while (decision.source === "fallback" && performance.now() < limit)
      decision = await limiter.consume({ user: 1 });
    expect(decision.source).toBe("store");
  } finally {
    await opened.close();
    await server.stop();
  }
});
