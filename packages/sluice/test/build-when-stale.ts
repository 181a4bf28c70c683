/** Runs before all tests: builds the library when what is built is missing or older than its source. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}

export default function buildWhenStale(): void {
  const built = join(root, "packages/sluice/dist/index.js");
  const sources = [join(root, "packages/sluice/src"), join(root, "docs/reference/errors")];
  if (existsSync(built) && Math.max(...sources.map(newestIn)) < statSync(built).mtimeMs) return;
  console.log("Building the library, since it has changed.");
  execFileSync(process.execPath, [join(root, "scripts/build-library.mjs")], { stdio: "inherit" });
}
