/** What keeps a server from starting, each in words, with exit code 2 and nothing left behind. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sluice } from "../cli/sluice-command.js";
import { ANY_PORTS } from "./sluice-process.js";

const folder = mkdtempSync(join(tmpdir(), "sluice-refusals-"));
const file = join(folder, "sluice.yaml");
afterAll(() => rmSync(folder, { recursive: true }));

test.each<[string, readonly string[], string]>([
  [
    "no port",
    ["--resp", "127.0.0.1"],
    "'127.0.0.1' is invalid. Expected HOST:PORT, such as 127.0.0.1:6380 or [::1]:6380.",
  ],
  ["no host", ["--http", ":8080"], "'--http <host:port>' argument ':8080' is invalid. Expected HOST:PORT"],
  ["a store without a host", ["--store", "redis://:geheim@"], "The URL needs a host"],
])("%s", async (_, args, words) => {
  const { code, out, err } = await sluice(["serve", ...ANY_PORTS, ...args]);
  expect(err).toContain(words);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(err).not.toContain("geheim");
  expect([code, out]).toEqual([2, ""]);
});

test.each(["--resp", "--http"])("a port that is taken, by %s: one sentence", async (option) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const place = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  const store = ["--store", "redis://:geheim@127.0.0.1:1"];
  const { code, out, err } = await sluice([
    "serve",
    ...ANY_PORTS,
    option,
    place,
    ...store,
    "--json",
    "--debug",
  ]);
  taken.close();
  expect(code).toBe(2);
  const message = `${place} is taken by another program; choose another with ${option} HOST:PORT.`;
  expect(JSON.parse(out)).toEqual({ error: { code: "USAGE", message } });
  expect(err).toContain(`error: ${message}\n`);
  expect(out + err).not.toContain("geheim");
});

describe("a configuration", () => {
  test("that is not there", async () => {
    const { code, out, err } = await sluice(["serve", ...ANY_PORTS, "--config", "nowhere.yaml"]);
    expect([code, out, err]).toEqual([2, "", "error: nowhere.yaml: There is no such file.\n"]);
  });

  test("with several mistakes: all at once, with line, column and caret", async () => {
    writeFileSync(
      file,
      "stor: memory\ntokens: [short, right-and-long]\nlimits:\n  login: user:5/m\n  api: user:5/min\n",
    );
    const { code, out, err } = await sluice(["serve", ...ANY_PORTS, "--config", file]);
    expect([code, out]).toEqual([2, ""]);
    const places = [...err.matchAll(/sluice\.yaml:(\d+):(\d+): /g)].map(([, line, column]) => [line, column]);
    expect(places).toEqual([
      ["1", "1"],
      ["2", "10"],
      ["5", "15"],
    ]);
    expect(err).toContain("  1 | stor: memory\n    | ^^^^\n");
    expect(err).toContain("  5 |   api: user:5/min\n    |               ^^^\n");
    expect(err).not.toMatch(/short|right-and-long/);
  });
});
