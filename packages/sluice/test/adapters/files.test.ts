/** Adapters stay adapters: short, and made of nothing but the gate. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = new URL("../../src/adapters/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));

const MOST_LINES = 60;

const codeOf = (file: string) =>
  readFileSync(new URL(file, folder), "utf8")
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");

test("there is one for each framework", () => {
  expect(files.sort()).toEqual([
    "express.ts",
    "fastify.ts",
    "fetch.ts",
    "hono.ts",
    "koa.ts",
    "nest.ts",
    "node.ts",
    "trpc.ts",
  ]);
});

describe.each(files)("%s", (file) => {
  test(`has at most ${MOST_LINES} lines of code`, () => {
    expect(codeOf(file).length).toBeLessThanOrEqual(MOST_LINES);
  });

  test("imports the gate and what errors are made of, and nothing else", () => {
    const imported = codeOf(file).flatMap((line) => /from "([^"]+)"/.exec(line)?.[1] ?? []);
    expect(imported.filter((path) => !/^\.\.\/(http\/[a-z-]+|errors)\.js$/.test(path))).toEqual([]);
    expect(imported.length).toBeGreaterThan(2);
  });
});
