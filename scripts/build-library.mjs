/** Builds packages/sluice: compiles `src` to `dist` and copies the pages that error messages point to. */
import { execFileSync } from "node:child_process";
import { cpSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const library = join(root, "packages/sluice");
const tsc = createRequire(import.meta.url).resolve("typescript/package.json");

/** Compiled aside and then put in place, so that a program which is just starting finds one or the other. */
const fresh = join(library, "dist.new");
rmSync(fresh, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(dirname(tsc), "bin/tsc"), "-p", join(library, "tsconfig.build.json"), "--outDir", fresh],
  { stdio: "inherit" },
);
rmSync(join(library, "dist"), { recursive: true, force: true });
renameSync(fresh, join(library, "dist"));

rmSync(join(library, "docs"), { recursive: true, force: true });
cpSync(join(root, "docs/reference/errors"), join(library, "docs/reference/errors"), { recursive: true });
