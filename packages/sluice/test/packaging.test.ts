/** The packed tarball, installed into small projects of each kind and used there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sluice-packaging-"));
let tarball: string;

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
}

function project(name: string, files: Readonly<Record<string, string>>): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], cwd);
  return cwd;
}

beforeAll(() => {
  const packed: readonly { filename: string; files: readonly { path: string }[] }[] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder, "-w", "sluice"], root),
  );
  tarball = join(folder, packed[0]!.filename);
  const paths = packed[0]!.files.map((file) => file.path);
  expect(paths).toContain("dist/index.js");
  expect(paths).toContain("README.md");
  expect(paths).toContain("docs/reference/errors/SLUICE_BAD_RULE.md");
  expect(paths.filter((path) => /\.test\.|^src\//.test(path))).toEqual([]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const USE = `
const limiter = createSluice({ namespace: "shop", store: memoryStore({ clock: manualClock(0) }) }).limit(or("ip:1/m", "user:20/h"));
const first = await limiter.consume({ ip: "192.0.2.1", user: "ada" });
const second = await limiter.consume({ ip: "192.0.2.1", user: "ada" });
console.log(first.allowed, second.allowed, second.retryAfterMs, explain(second));
const away = { status: "end", call: async () => {} };
const onRedis = createSluice({ store: redisStore(away) }).limit("1/h");
console.log((await onRedis.consume()).source, (await onRedis.consume()).allowed);
`;
const PRINTED = "true false 60000 Refused by ip:1/m: try again in 1m.\nfallback false\n";

describe("installed", () => {
  test("into an ESM project", () => {
    const cwd = project("esm", {
      "package.json": '{ "private": true, "type": "module" }',
      "main.js": `import { createSluice, explain, memoryStore, or } from "sluice";\nimport { redisStore } from "sluice/redis";\nimport { manualClock } from "sluice/testing";\n${USE}`,
    });
    expect(run("node", ["main.js"], cwd)).toBe(PRINTED);
  });

  test("into a CommonJS project", () => {
    const cwd = project("cjs", {
      "package.json": '{ "private": true }',
      "main.js": `const { createSluice, explain, memoryStore, or } = require("sluice");\nconst { redisStore } = require("sluice/redis");\nconst { manualClock } = require("sluice/testing");\n(async () => {${USE}})();`,
    });
    expect(run("node", ["--no-warnings", "main.js"], cwd)).toBe(PRINTED);
  });

  test.each([
    ["with the default libraries", {}],
    ["without the DOM and without Node's types", { lib: ["es2022"] }],
  ])("into a nodenext TypeScript project, %s", (_, options) => {
    const cwd = project(`ts-${Object.keys(options).length}`, {
      "package.json": '{ "private": true, "type": "module" }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          module: "nodenext",
          target: "es2022",
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: false,
          types: [],
          outDir: "out",
          ...options,
        },
      }),
      "main.ts": `
declare const console: { log(...args: unknown[]): void };
import { createSluice, type Decision, explain, memoryStore, or } from "sluice";
import { redisStore } from "sluice/redis";
import { manualClock } from "sluice/testing";
${USE}
const decision: Decision = second;
class Api {
  user = "ada";
  @limiter
  async call(amount: number): Promise<number> { return amount; }
}
async function scoped(): Promise<void> {
  await using pass = await limiter.enter({ ip: "x", user: "y" });
  await pass.refund();
}
const wrapped: (name: string) => Promise<number> = limiter.wrap((name: string) => name.length);
function mistakes(): void {
  // @ts-expect-error a cost is a number
  limiter.consume({}, { cost: "1" });
  // @ts-expect-error a fact is no object
  limiter.consume({ user: {} });
  // @ts-expect-error only async methods can be limited
  class Sync { @limiter call(): number { return 1; } }
}
export { Api, decision, mistakes, scoped, wrapped };
`,
    });
    run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], cwd);
    expect(run("node", ["out/main.js"], cwd)).toBe(PRINTED);
  });
});
