/** `sluice simulate`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sluice, sluiceJson } from "./sluice-command.js";

const folder = mkdtempSync(join(tmpdir(), "sluice-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("draws a chart and tells the numbers", async () => {
  const { code, out, err } = await sluice(["simulate", "10/s", "--traffic", "steady:20/s", "--for", "10s"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("█ admitted  ░ refused");
  expect(out).toContain("10/s      200       100   50.0 %         500 ms        500 ms");
  expect(out).toContain("10/s  10  in any second, from 0 s on");
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ["--ascii", ["--ascii"], {}],
  ["no locale", [], { LANG: "C" }],
  ["another locale", [], { LC_ALL: "POSIX" }],
])("draws with plain characters: %s", async (_, args, env) => {
  const { out } = await sluice(["simulate", "10/s", "--traffic", "steady:20/s", ...args], { env });
  expect(out).toMatch(/^[\x20-\x7e\n]+$/);
});

test("is as wide as the terminal", async () => {
  const { out } = await sluice(["simulate", "10/s", "--traffic", "steady:20/s"], { env: { COLUMNS: "60" } });
  const axis = out.split("\n").find((line) => line.includes("└"))!;
  expect(axis.length).toBe(60);
});

test("compares algorithms, each once", async () => {
  const args = [
    "simulate",
    "10/10s",
    "--traffic",
    "poisson:3/s,4",
    "--compare",
    "sliding-log,gcra",
    "fixed-window",
  ];
  const { json } = await sluiceJson(args);
  const { runs } = json as { runs: { rule: string; peaks: { most: number }[] }[] };
  expect(runs.map(({ rule, peaks }) => [rule, peaks[0]!.most])).toEqual([
    ["10/10s", 10],
    ["10/10s gcra", 19],
    ["10/10s fixed-window", 16],
  ]);
  expect((await sluice(["simulate", "1/s", "--traffic", "steady:1/s", "--compare", "all"])).out).toContain(
    "1/s:16.666ms ar1",
  );
});

test("as JSON, with the names that its help tells, and the same every time", async () => {
  const args = ["simulate", "user:10/s", "--traffic", "poisson:20/s", "--for", "5s"];
  const { code, json } = await sluiceJson(args);
  expect(code).toBe(0);
  expect((await sluiceJson(args)).json).toEqual(json);
  const help = (await sluice(["simulate", "--help"])).out;
  const [run] = (json as { runs: Record<string, unknown>[] }).runs;
  const { bins, peaks } = run as { bins: object[]; peaks: object[] };
  for (const name of [run!, bins[0]!, peaks[0]!].flatMap(Object.keys)) expect(help).toContain(name);
});

test("plays a trace, for as long as it is", async () => {
  writeFileSync(join(folder, "trace.csv"), "ms,key\n0,ada\n10,ada\n20,bob\n990,ada\n");
  const { json } = await sluiceJson(["simulate", "user:1/s", "--traffic", "trace.csv"], { cwd: folder });
  expect(json).toMatchObject({
    runs: [{ lengthMs: 990.001, offered: { requests: 4 }, admitted: { requests: 2 } }],
  });
  writeFileSync(join(folder, "bad.csv"), "0\nsoon\n");
  const { code, err } = await sluice(["simulate", "1/s", "--traffic", "bad.csv"], { cwd: folder });
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("error: bad.csv:2: an instant is a number of seconds"),
  ]);
});

test("writes an SVG", async () => {
  const file = join(folder, "chart.svg");
  const { code, out } = await sluice(["simulate", "10/s", "--traffic", "burst:30/2s", "--svg", file]);
  expect(code).toBe(0);
  expect(out).toContain(`The chart is in ${file}.`);
  expect(readFileSync(file, "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  const nowhere = await sluice([
    "simulate",
    "10/s",
    "--traffic",
    "burst:30/2s",
    "--svg",
    join(folder, "no/where.svg"),
  ]);
  expect([nowhere.code, nowhere.err]).toEqual([
    2,
    expect.stringContaining("The picture cannot be written: ENOENT"),
  ]);
});
