/** Builds packages/sluice: bundles the Lua, compiles `src` to `dist`, copies the pages that errors point to. */
import { execFileSync } from "node:child_process";
import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleScript } from "./bundle-script.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const library = join(root, "packages/sluice");
const tsc = createRequire(import.meta.url).resolve("typescript/package.json");

const { source, sha } = bundleScript(join(library, "src"));
writeFileSync(
  join(library, "src/store/redis/script.generated.ts"),
  `/** Made by scripts/build-library.mjs from the Lua halves of the algorithms. */
export const SCRIPT_SHA = ${JSON.stringify(sha)};
export const SCRIPT = ${JSON.stringify(source)};
`,
);

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
