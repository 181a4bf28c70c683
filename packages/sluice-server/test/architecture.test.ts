/** The shape of the server's source: who imports whom, and what it may use of the library. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ANY, EMPTY_NAME, HEADING, sourceTree, withoutComments } from "../../sluice/test/source-tree.js";

const server = fileURLToPath(new URL("..", import.meta.url));
const src = join(server, "src");

const ORDER = [
  ["usage-error.ts", "log.ts", "tokens.ts"],
  ["explain"],
  ["simulate"],
  ["store"],
  ["config"],
  ["limits"],
  ["metrics", "live"],
  ["resp", "http"],
  ["serve"],
  ["cli"],
];

const { files, sources, textOf, importsOf, localImportsOf, rankOf, walkAll } = sourceTree(src, ORDER);

describe("imports", () => {
  test.each(sources)("%s imports only from the left", (file) => {
    for (const imported of localImportsOf(file)) {
      expect(existsSync(join(src, imported)), `${file} imports ${imported}, which does not exist`).toBe(true);
      expect(rankOf(imported), `${file} imports ${imported}`).toBeLessThanOrEqual(rankOf(file));
    }
  });

  test("form no cycle", () => {
    expect(walkAll()).toBe(sources.length);
    expect(sources.length).toBeGreaterThan(100);
  });

  test("reach only what is declared, and of the library what it exports", () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(server, "package.json"), "utf8"),
    );
    const packages = sources
      .flatMap(importsOf)
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .map((specifier) => specifier.split("/")[0]!);
    expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
  });
});

describe("every source file", () => {
  test.each(files)("%s has no `any`", (file) => {
    expect(withoutComments(textOf(file))).not.toMatch(ANY);
  });

  test.each(sources)("%s says at its top what it is for, and has a name that says something", (file) => {
    expect(textOf(file)).toMatch(HEADING);
    expect(file).not.toMatch(EMPTY_NAME);
    expect(file).not.toMatch(/(^|\/)index\.ts$/);
  });
});
