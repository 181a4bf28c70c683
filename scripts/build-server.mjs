/** Builds packages/sluice-server: compiles `src` and bundles the page into `dist`. Needs the library to be built. */
import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const server = join(dirname(fileURLToPath(import.meta.url)), "../packages/sluice-server");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const run = (...args) => execFileSync(process.execPath, args, { stdio: "inherit" });

/** Built aside and then put in place, so that a program which is just starting finds one or the other. */
const fresh = join(server, "dist.new");
rmSync(fresh, { recursive: true, force: true });
run(tsc, "-p", join(server, "tsconfig.build.json"), "--outDir", fresh);
run(join(server, "scripts/build-page.mjs"), join(fresh, "page"));
rmSync(join(server, "dist"), { recursive: true, force: true });
renameSync(fresh, join(server, "dist"));
