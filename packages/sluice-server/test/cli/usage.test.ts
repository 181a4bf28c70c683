/** The command line as a whole: help, mistakes, exit codes. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { sluice } from "./sluice-command.js";

const COMMANDS = ["serve", "explain", "check", "simulate", "consume", "peek", "reset", "bench"];

test("--version", async () => {
  expect(await sluice(["--version"])).toEqual({ code: 0, out: "0.1.0\n", err: "" });
});

test("--help names every command, examples and exit codes", async () => {
  const { code, out } = await sluice(["--help"]);
  expect(code).toBe(0);
  for (const word of [...COMMANDS, "Examples:", "Exit codes:"]) expect(out).toContain(word);
});

test.each(COMMANDS)("%s --help has examples and tells the shape of its JSON", async (command) => {
  const { code, out } = await sluice([command, "--help"]);
  expect(code).toBe(0);
  for (const word of [`Usage: sluice ${command}`, "Examples:", `sluice ${command}`, "--json", "JSON: "]) {
    expect(out).toContain(word);
  }
});

describe("mistakes end with 2, in words and without a stack", () => {
  test.each<[string, readonly string[], string]>([
    ["nothing at all", [], "Usage: sluice"],
    ["a command nearly right", ["simulat"], "Did you mean simulate?"],
    ["an option nearly right", ["explain", "10/s", "--jsn"], "Did you mean --json?"],
    ["no rule", ["explain"], "missing required argument 'rule'"],
    ["a bad rule", ["explain", "10/sec"], '  10/sec\n     ^^^\n\nDid you mean "10/s"?'],
    ["no traffic", ["simulate", "10/s"], "required option '--traffic <traffic>' not specified"],
    ["traffic nearly right", ["simulate", "10/s", "--traffic", "poison:5/s"], 'Did you mean "poisson"?'],
    [
      "a file that is not there",
      ["simulate", "10/s", "--traffic", "none.csv"],
      "is no file that can be read (ENOENT)",
    ],
    [
      "a bad span",
      ["simulate", "10/s", "--traffic", "steady:5/s", "--for", "ever"],
      "Expected a span of time, such as 500ms",
    ],
    [
      "a bad algorithm",
      ["simulate", "10/s", "--traffic", "steady:5/s", "--compare", "gcr"],
      'Did you mean "gcra"?',
    ],
    ["too much traffic", ["simulate", "10/s", "--traffic", "steady:9000000/s"], "at most 5,000,000"],
    ["no store", ["peek", "user:1/s", "user=1"], "Name the store that holds the counters"],
    ["a bad store", ["peek", "1/s", "--store", "redi://x"], 'Did you mean "redis"?'],
    [
      "a missing fact",
      ["peek", "user+ip:1/s", "user=1", "--store", "memory"],
      "The rule counts by user and ip: add ip=….",
    ],
    [
      "a fact nearly right",
      ["peek", "user:1/s", "usr=1", "--store", "memory"],
      'and not by "usr". Did you mean "user"?',
    ],
    ["a fact too many", ["peek", "1/s", "user=1", "--store", "memory"], "takes no facts"],
    [
      "a fact twice",
      ["peek", "user:1/s", "user=1", "user=2", "--store", "memory"],
      "The fact user is given twice.",
    ],
    [
      "a fact without a value",
      ["peek", "user:1/s", "user=", "--store", "memory"],
      "The fact user has no value",
    ],
    [
      "no fact",
      ["peek", "user:1/s", "42", "--store", "memory"],
      'Expected a fact such as user=42, and got "42".',
    ],
    [
      "a cost of nothing",
      ["peek", "1/s", "--cost", "0", "--store", "memory"],
      "Expected a whole number of at least 1.",
    ],
    [
      "an empty namespace",
      ["peek", "1/s", "--namespace", "", "--store", "memory"],
      "namespace must not be empty",
    ],
    [
      "too many callers",
      ["bench", "--store", "memory", "--callers", "1e9"],
      "Expected a whole number from 1 to 100000.",
    ],
  ])("%s", async (_, args, words) => {
    const { code, out, err } = await sluice(args);
    expect(err).toContain(words);
    expect(err).not.toMatch(/^ {4}at /m);
    expect([code, out]).toEqual([2, ""]);
  });
});

test("--json tells of a mistake on standard output too", async () => {
  const { code, out, err } = await sluice(["explain", "10/sec", "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(out)).toEqual({
    error: { code: "BAD_RULE", message: expect.stringContaining("10/sec") },
  });
  expect(err).toContain("Did you mean");
});

test("--debug shows where an error comes from", async () => {
  const { code, err } = await sluice(["peek", "user:1/s", "--store", "memory", "--debug"]);
  expect(code).toBe(2);
  expect(err).toMatch(/^ {4}at /m);
});

test("a reader who has seen enough ends it quietly", () => {
  const command = `"${process.execPath}" packages/sluice-server/dist/cli/main.js simulate 10/s --traffic steady:50/s --json | head -c 5; echo " $?"`;
  const root = new URL("../../../..", import.meta.url);
  expect(execFileSync("sh", ["-c", `${command} 2>&1`], { cwd: root, encoding: "utf8" })).toBe('{"run 0\n');
});
