/** `sluice consume|peek|reset` on a real Redis, on the counters that a program uses. */
import { createSluice } from "sluice";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { openStore } from "../../src/store/open-store.js";
import { sluice, sluiceJson } from "./sluice-command.js";

let server: RedisServer;
beforeAll(async () => {
  server = await startServer({ password: "geheim" });
});
afterAll(() => server.stop());

const RULE = "user:2/h or ip:9/h";

function ask(command: string, user: string, ...more: readonly string[]) {
  return sluice([command, RULE, `user=${user}`, "ip=192.0.2.7", "--store", server.url, ...more]);
}

test("a user from first to last", async () => {
  const story = [
    await ask("peek", "ada"),
    await ask("consume", "ada"),
    await ask("consume", "ada"),
    await ask("consume", "ada"),
    await ask("peek", "ada"),
    await ask("reset", "ada"),
    await ask("peek", "ada", "--cost", "2"),
    await ask("consume", "ada", "--cost", "3"),
  ];
  expect(story.map(({ code, out }) => [code, out.split("\n")[0]!.replace(/in \d.*$/, "in …")])).toEqual([
    [0, "Allowed, 2 more right now under user:2/h."],
    [0, "Allowed, 1 more right now under user:2/h."],
    [0, "Allowed, 0 more right now under user:2/h."],
    [1, "Refused by user:2/h: try again in …"],
    [1, "Refused by user:2/h: try again in …"],
    [0, "Done."],
    [0, "Allowed, 2 more right now under user:2/h."],
    [1, "Refused by user:2/h: a cost this high never fits."],
  ]);
  expect(story[3]!.out).toMatch(
    /\n {2}over {2}user:2\/h {2}0 of 2 left\n {2}ok {4}ip:9\/h {2}\d of 9 left\n$/,
  );
});

test("as JSON: the decision, and null for what is infinite", async () => {
  const args = ["consume", "user:2/h", "user=bob", "--cost", "3", "--store", server.url];
  expect(await sluiceJson(args)).toEqual({
    code: 1,
    json: {
      allowed: false,
      remaining: 2,
      retryAfterMs: null,
      resetAfterMs: 0,
      limits: [expect.objectContaining({ rule: "user:2/h" })],
      refusedBy: [expect.objectContaining({ rule: "user:2/h", windowMs: 3_600_000 })],
      source: "store",
    },
  });
  expect(await sluiceJson(["reset", "user:2/h", "user=bob", "--store", server.url])).toEqual({
    code: 0,
    json: { done: true },
  });
});

test("are the counters of a program with the same namespace and key", async () => {
  const opened = openStore(server.url, { deadlineMs: 20_000, onFailure: "throw" });
  const login = createSluice({ namespace: "shop", store: opened.store }).limit(RULE, { key: "login" });
  const facts = { user: "cyd", ip: "192.0.2.8" };
  await login.consume(facts, { cost: 2 });
  const shop = ["--namespace", "shop", "--key", "login"];
  const args = [RULE, "user=cyd", "ip=192.0.2.8", "--store", server.url];
  expect((await sluice(["peek", ...args])).code).toBe(0);
  expect((await sluice(["peek", ...args, ...shop])).code).toBe(1);
  expect((await sluice(["reset", ...args, ...shop])).code).toBe(0);
  expect((await login.peek(facts)).allowed).toBe(true);
  await opened.close();
});

test("the store may come from the environment", async () => {
  const { code } = await sluice(["peek", "user:2/h", "user=1"], { env: { SLUICE_STORE: server.url } });
  expect(code).toBe(0);
});

test("works on a Cluster", async () => {
  const nodes = inject("servers").cluster.nodes.map(({ host, port }) => `${host}:${port}`);
  const user = `user=${Math.random()}`;
  const args = ["user:1/h or 1000000/h", user, "--store", `redis-cluster://${nodes.join(",")}`];
  expect((await sluice(["consume", ...args])).code).toBe(0);
  expect((await sluice(["consume", ...args])).code).toBe(1);
});

describe("a store that cannot be asked ends with 3, soon and without its password", () => {
  test.each([
    [
      "nobody listens",
      () => "redis://:geheim@127.0.0.1:1",
      "redis://127.0.0.1:1 cannot be asked: connect ECONNREFUSED 127.0.0.1:1",
    ],
    ["the password is wrong", () => server.url.replace("geheim", "geheimer"), "WRONGPASS"],
    ["the password is missing", () => server.url.replace(":geheim@", ""), "NOAUTH"],
    ["it is no Cluster", () => server.url.replace("redis:", "redis-cluster:"), "cluster support disabled"],
  ])("%s", async (_, url, words) => {
    const { code, out, err } = await sluice([
      "consume",
      "user:1/s",
      "user=1",
      "--json",
      "--debug",
      "--store",
      url(),
    ]);
    expect(code).toBe(3);
    expect(err).toContain(words);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "STORE_UNAVAILABLE" } });
    expect(out + err).not.toContain("geheim");
  });

  test("it takes connections and never answers", async () => {
    const frozen = await startServer();
    frozen.pause();
    try {
      const { code, err } = await sluice(["consume", "user:1/s", "user=1", "--store", frozen.url]);
      expect([code, err]).toEqual([3, `error: ${frozen.url} cannot be asked: There was no answer.\n`]);
    } finally {
      frozen.resume();
      await frozen.stop();
    }
  });
});
