/** Whatever an operator gets wrong, no secret of his comes out: not by `check`, `serve` or its log, nor over HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sluice } from "../cli/sluice-command.js";
import { ANY_PORTS, startSluice } from "./sluice-process.js";

const SECRET = "kR7vQz2mW9xTb4";
const folder = mkdtempSync(join(tmpdir(), "sluice-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MISTAKEN: readonly (readonly [mistake: string, config: string])[] = [
  ["a misspelled name", `toekns: [${SECRET}]\n`],
  ["an equals sign", `tokens = ${SECRET}\n`],
  ["a missing colon", `tokens\n  - ${SECRET}\n`],
  ["a map instead of a list", `tokens:\n  first: ${SECRET}\n`],
  ["a tab", `tokens:\n\t- ${SECRET}\n`],
  ["an open quote", `tokens:\n  - "${SECRET}\n`],
  ["an open bracket", `tokens: [${SECRET}\n`],
  ["a token that looks like an alias", `tokens: [*${SECRET}]\n`],
  ["a store without a scheme", `store: me:${SECRET}@127.0.0.1\n`],
  ["a store of an unknown scheme", `store: mysql://me:${SECRET}@127.0.0.1\n`],
  ["a store with a bad port", `store: redis://me:${SECRET}@127.0.0.1:port\n`],
  ["a password of its own", `store: { url: "redis://127.0.0.1", password: ${SECRET} }\n`],
  ["a token among the limits", `limits:\n  tokens: ${SECRET}\n`],
];

test("the secret is in each of them", () => {
  for (const [, config] of MISTAKEN) expect(config).toContain(SECRET);
});

test.each(MISTAKEN)("check and serve: %s", async (_, config) => {
  const file = join(folder, "sluice.yaml");
  writeFileSync(file, config);
  for (const args of [
    ["check", file],
    ["serve", "--config", file, ...ANY_PORTS, "--debug", "--json"],
  ]) {
    const { code, out, err } = await sluice(args);
    expect([args[0], code]).toEqual([args[0], args[0] === "check" ? 1 : 2]);
    expect(out + err).not.toContain(SECRET);
    expect(out + err).toContain("sluice.yaml");
  }
});

test("a configuration that is followed: not in the log, not over HTTP", async () => {
  const good = "limits: { all: 5/m }\n";
  await using server = await startSluice({ config: good, args: ["--log-level", "debug"] });
  let heard = 0;
  for (const [, config] of MISTAKEN) {
    server.write(config);
    server.signal("SIGHUP");
    heard += 1;
    const { reason } = await server.heard("the configuration is mistaken", heard);
    expect(reason).toContain("sluice.yaml:");
  }
  for (const path of ["/v1/limits", "/readyz", "/metrics", "/live/identities?limit=all", "/nothing"])
    expect(await (await server.fetch(path)).text()).not.toContain(SECRET);
  expect(server.err + server.out).not.toContain(SECRET);
});

describe("on the command line", () => {
  const url = `redis://me:${SECRET}@127.0.0.1:1`;
  test.each<readonly string[]>([
    ["serve", "--store", `me:${SECRET}@127.0.0.1`],
    ["serve", "--store", `mysql://me:${SECRET}@127.0.0.1`],
    ["serve", "--store", `redis://me:${SECRET}@127.0.0.1:port`],
    ["serve", `--stor=${url}`],
    ["serve", "--http", url],
    ["serve", "--config", url],
    ["serve", url],
    ["check", url],
    ["bench", "--store", `me:${SECRET}@127.0.0.1`],
    ["consume", "user:10/m", url],
    ["consume", url, "user=1"],
    ["consume", "10/m", "--store", url],
    ["explain", url],
    [url],
  ])("%s %s", async (...args) => {
    const { code, out, err } = await sluice([...args, "--debug", "--json"]);
    expect(code).toBeGreaterThan(0);
    expect(out + err).not.toContain(SECRET);
  });
});
