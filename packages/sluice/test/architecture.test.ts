/** The shape of the source: who imports whom, what a folder holds, and what is published. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../src/algorithm/registry.js";
import { ANY, EMPTY_NAME, HEADING, sourceTree, withoutComments } from "./source-tree.js";

const library = fileURLToPath(new URL("..", import.meta.url));
const src = join(library, "src");

/** A folder or file imports only from its own place and those left of it, types included. */
const ORDER = [
  ["errors.ts", "clock.ts", "duration.ts"],
  ["algorithm"],
  ["rule"],
  ["plan"],
  ["store"],
  ["decision"],
  ["limiter"],
  ["http"],
  ["adapters", "drop-in"],
  ["testing"],
  ["index.ts"],
];

const { files, sources, textOf, importsOf, localImportsOf, rankOf, walkAll } = sourceTree(src, ORDER);

describe("imports", () => {
  test("are found at all", () => {
    expect(localImportsOf("limiter/limiter.ts")).toContain("limiter/bound-rule.ts");
    expect(sources.flatMap(localImportsOf).length).toBeGreaterThan(100);
  });

  test.each(sources)("%s imports only from the left", (file) => {
    for (const imported of localImportsOf(file)) {
      expect(existsSync(join(src, imported)), `${file} imports ${imported}, which does not exist`).toBe(true);
      expect(rankOf(imported), `${file} imports ${imported}`).toBeLessThanOrEqual(rankOf(file));
    }
  });

  test("form no cycle", () => expect(walkAll()).toBe(sources.length));

  test("reach nothing outside the package: no dependency, and nothing of Node, so that it runs anywhere", () => {
    const outside = sources.flatMap((file) =>
      importsOf(file).filter((specifier) => !specifier.startsWith(".")),
    );
    expect(outside).toEqual([]);
  });
});

describe("every source file", () => {
  test.each(["let x: any", "f(x as any)", "Map<string, any>", "(x: string | any) => 1", "readonly any[]"])(
    "the search finds the type in %s",
    (text) => expect(text).toMatch(ANY),
  );

  test.each(files)("%s has no `any`", (file) => {
    expect(withoutComments(textOf(file))).not.toMatch(ANY);
  });

  test.each(sources)("%s says at its top what it is for", (file) => {
    expect(textOf(file)).toMatch(HEADING);
  });

  test.each(sources)("%s has a name that says something", (file) => {
    expect(file).not.toMatch(EMPTY_NAME);
    if (file.endsWith("index.ts"))
      expect(["index.ts", "http/index.ts", "store/redis/index.ts", "testing/index.ts"]).toContain(file);
  });
});

describe("algorithm folders", () => {
  const folders = readdirSync(join(src, "algorithm"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

  test("are those of the registry", () => {
    expect(folders.sort()).toEqual([...ALGORITHM_NAMES].sort());
  });

  test.each(folders)("%s is complete", (name) => {
    for (const file of [`${name}.ts`, `${name}.lua`, `${name}.scenarios.ts`, "README.md"]) {
      expect(existsSync(join(src, "algorithm", name, file)), `${name}/${file}`).toBe(true);
    }
  });
});

describe("the Lua", () => {
  const scripts = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".lua"),
  );

  test("calls Redis in evaluate.lua only", () => {
    const calling = scripts.filter((file) => /\bredis\s*\./.test(textOf(file).replace(/--.*$/gm, "")));
    expect(calling).toEqual(["store/redis/lua/evaluate.lua"]);
  });
});

/** An adapter has the name of its folder. Of drop-in stores, what they share is not published. */
const PUBLISHED =
  /(^|\/)index\.(js|d\.ts)$|^adapters\/([a-z]+)\/\3\.(js|d\.ts)$|^drop-in\/(express-rate-limit|fastify-rate-limit|nest-throttler)\.(js|d\.ts)$/;

describe("the package", () => {
  const manifest: {
    exports: Record<string, string | Record<string, string>>;
    dependencies?: object;
    peerDependencies?: object;
    optionalDependencies?: object;
  } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
  const entries = Object.entries(manifest.exports).filter(([path]) => path !== "./package.json");

  test("has no dependency of any kind", () => {
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
  });

  test("exports what is built: every index, every adapter, and nothing else", () => {
    const targets = entries.flatMap(([, conditions]) => Object.values(conditions)).sort();
    const built = readdirSync(join(library, "dist"), { recursive: true, encoding: "utf8" })
      .filter((file) => PUBLISHED.test(file))
      .map((file) => `./dist/${file}`)
      .sort();
    expect(targets).toEqual(built);
  });

  test.each(entries)("%s gives the same names as its source", async (_, conditions) => {
    const target = (conditions as Record<string, string>)["default"]!;
    const built = await import(/* @vite-ignore */ join(library, target));
    const source = await import(
      /* @vite-ignore */ join(library, target.replace("./dist/", "src/").replace(".js", ".ts"))
    );
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
    expect(Object.keys(built).length).toBeGreaterThan(0);
  });

  test("holds no test and every source file", () => {
    const built = readdirSync(join(library, "dist"), { recursive: true, encoding: "utf8" });
    expect(built.filter((file) => file.includes(".test."))).toEqual([]);
    for (const file of sources) expect(built).toContain(file.replace(/\.ts$/, ".js"));
  });
});
