/** A folder in which the docs' code is compiled and run, as in a reader's own project. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Block, expectedOutput, ROOT } from "./markdown.js";
import type { DocsServers } from "./servers.js";

const LIBRARY = join(ROOT, "packages/sluice");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const RUNNER = fileURLToPath(new URL("run-blocks.mjs", import.meta.url));

/** What became of one block. */
export interface Outcome {
  readonly printed: string;
  readonly error?: { readonly code?: string; readonly message: string; readonly stack: string };
}

const COMPILER_OPTIONS = {
  strict: true,
  target: "es2022",
  module: "nodenext",
  moduleDetection: "force",
  types: ["node"],
  skipLibCheck: true,
  noUnusedLocals: true,
  sourceMap: true,
};

/** Blocks marked `legacy-decorators` are compiled as NestJS projects are. */
const PROJECTS = {
  standard: {
    compilerOptions: { ...COMPILER_OPTIONS, rootDir: "standard", outDir: "out/standard" },
    include: ["standard"],
  },
  legacy: {
    compilerOptions: {
      ...COMPILER_OPTIONS,
      experimentalDecorators: true,
      rootDir: "legacy",
      outDir: "out/legacy",
    },
    include: ["legacy"],
  },
};

type Project = keyof typeof PROJECTS;

function projectOf({ mark }: Block): Project {
  return mark === "legacy-decorators" ? "legacy" : "standard";
}

function pathOf({ file, line }: Block, ending: string): string {
  return `${file}.${line}${ending}`;
}

/** Installed here under other names, since there are two versions of each; a reader gets the newest. */
const INSTALLED: Readonly<Record<string, string>> = {
  ioredis: "ioredis-6",
  redis: "redis-6",
  express: "express-5",
  koa: "koa-3",
  "@types/express": "@types/express-5",
  "@types/koa": "@types/koa-3",
};

/**
 * A new folder with the library installed, compiled from its sources: `dist` may be replaced at any time by
 * a build elsewhere. Inside the repository, so that Node's types and the other clients are found.
 */
export function createPlayground(): string {
  mkdirSync(join(ROOT, ".tmp"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".tmp/docs-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const installed = join(folder, "node_modules/sluice");
  mkdirSync(installed, { recursive: true });
  cpSync(join(LIBRARY, "package.json"), join(installed, "package.json"));
  const build = ["-p", join(LIBRARY, "tsconfig.build.json"), "--outDir", join(installed, "dist")];
  execFileSync(process.execPath, [TSC, ...build]);
  mkdirSync(join(folder, "node_modules/@types"));
  for (const [name, installed] of Object.entries(INSTALLED)) {
    symlinkSync(join(ROOT, "node_modules", installed), join(folder, "node_modules", name));
  }
  return folder;
}

/** What the compiler has to say, with the lines of the Markdown file; empty when all is well. */
export function compile(playground: string, blocks: readonly Block[]): string {
  for (const block of blocks) {
    const path = join(playground, projectOf(block), pathOf(block, ".ts"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "\n".repeat(block.line) + block.text);
  }
  const used = new Set(blocks.map(projectOf));
  return [...used].map((project) => compileProject(playground, project)).join("");
}

function compileProject(playground: string, project: Project): string {
  const config = join(playground, `tsconfig.${project}.json`);
  writeFileSync(config, JSON.stringify(PROJECTS[project]));
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, "-p", config], {
    cwd: playground,
    encoding: "utf8",
  });
  return status === 0 ? "" : stdout + stderr;
}

/** One after the other, in one process. */
export function run(
  playground: string,
  blocks: readonly Block[],
  { ports, holdKeys, env }: Pick<DocsServers, "ports" | "holdKeys" | "env">,
): readonly Outcome[] {
  const programs = blocks.map((block) => ({
    path: join(playground, "out", projectOf(block), pathOf(block, ".js")),
    usesRedis: block.text.includes('"sluice/redis"'),
    expected: expectedOutput(block),
  }));
  const [task, outcomes] = [join(playground, "task.json"), join(playground, "outcomes.json")];
  writeFileSync(task, JSON.stringify({ programs, ports, holdKeys }));
  const command = ["--enable-source-maps", RUNNER, task, outcomes];
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, command, {
    encoding: "utf8",
    env: { ...process.env, ...env },
    timeout: 90_000,
  });
  if (status !== 0)
    throw new Error(
      `The process that runs the docs' code ended early (${signal ?? status}):\n${stdout}\n${stderr}`,
    );
  return JSON.parse(readFileSync(outcomes, "utf8")) as readonly Outcome[];
}
