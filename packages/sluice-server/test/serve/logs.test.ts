/** What a server logs: JSON alone, and nothing secret. */
import { createSluice } from "sluice";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { openStore } from "../../src/store/open-store.js";
import { type Sluice, startSluice } from "./sluice-process.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startServer({ password: "geheim" });
});
afterAll(() => redis.stop());

const TOKEN = "a-long-random-text";

/** Asks in every way, right and wrong. */
async function askAll(server: Sluice): Promise<void> {
  for (const token of [TOKEN, `${TOKEN}!`]) {
    const headers = { Authorization: `Bearer ${token}` };
    await server.post("/v1/limits/all/consume", {}, headers);
    await server.post("/v1/limits/none/consume", {}, headers);
    await server.fetch(`/v1/gate/all?token=${token}`, { headers });
    await server.ask("AUTH", token);
    await server.ask("AUTH", "default", token, "more");
    await server.ask("HELLO", "2", "AUTH", "default", token);
  }
}

describe("every line is JSON, and nothing in it is secret", () => {
  test.each<[string, () => string, RegExp]>([
    ["the right password", () => redis.url, /the store answers/],
    ["a wrong user and password", () => redis.url.replace(":geheim", "geheimer:geheim"), /WRONGPASS/],
    ["no Cluster", () => redis.url.replace("redis:", "redis-cluster:"), /cluster support disabled/],
    ["no Sentinels", () => `${redis.url.replace("redis:", "redis-sentinel:")}/mymaster`, /sentinel/i],
    ["no such database", () => `${redis.url}/99`, /DB index is out of range/],
  ])("%s", async (_, url, words) => {
    const config = `store: { url: "${url()}", onFailure: throw, deadlineMs: 50 }\ntokens: [${TOKEN}]\nlimits: { all: 100/s }`;
    await using server = await startSluice({ config, args: ["--debug", "--log-level", "debug"] });
    await until("it is said", () => words.test(server.err));
    await askAll(server);
    server.write(config.replace("all: 100/s", "all: 100"));
    server.signal("SIGHUP");
    await server.heard("stays in force");
    server.signal("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.logged().length).toBeGreaterThan(0);
    expect(server.out + server.err).not.toMatch(/geheim|a-long-random/);
    const stores = server.logged("the store");
    expect(stores, JSON.stringify(stores)).toHaveLength(1);
  });

  test("a password that Redis does not ask for", async () => {
    const open = await startServer();
    await using server = await startSluice({ args: ["--store", open.url.replace("//", "//:geheim@")] });
    await server.heard("the store answers");
    expect(server.logged("does not require a password")).toHaveLength(1);
    expect(server.err).not.toContain("geheim");
    await open.stop();
  });

  test("a Redis that repeats the password, which no caller is told either", async () => {
    const odd = await startServer({ args: ["--rename-command", "AUTH", ""] });
    const url = odd.url.replace("//", "//:geheim@");
    await using server = await startSluice({ args: ["--store", url] });
    await server.heard("the store is away");
    expect(server.err).not.toContain("geheim");
    const opened = openStore(url, { onFailure: "throw" });
    const asked = createSluice({ store: opened.store }).limit("1/s").consume();
    await expect(asked).rejects.toThrow(/unknown command 'auth', with args beginning with: '\*\*\*'/);
    await opened.close();
    await odd.stop();
  });
});

/** Has the process fail when it is sent SIGUSR2. */
const FAULT = `process.on("SIGUSR2", () => {
  process.emitWarning("take care");
  setImmediate(() => Promise.reject(Object.assign(new Error("lost"), { command: "ge" + "heim" })));
})`;

test("warnings and last words are in the log, too, without what libraries hang on errors", async () => {
  await using server = await startSluice({
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}` },
  });
  server.signal("SIGUSR2");
  expect(await server.ended).toBe(70);
  expect(server.logged()).toMatchObject([
    { level: 40, msg: "take care" },
    { level: 60, err: { message: "lost" } },
  ]);
  expect(server.err).not.toContain("geheim");
});

test("a log that cannot be written does not end it", async () => {
  await using server = await startSluice({ logTo: "/dev/full" });
  server.signal("SIGHUP");
  expect(await server.ask("PING")).toBe("PONG");
  expect((await server.fetch("/healthz")).status).toBe(200);
  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);
});
