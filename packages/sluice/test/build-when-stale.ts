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

/** Whether one of the sources is newer than what was built of them. */
export function isStale(built: string, sources: readonly string[]): boolean {
  return !existsSync(built) || Math.max(...sources.map(newestIn)) >= statSync(built).mtimeMs;
}

export default function buildWhenStale(): void {
  const sources = [join(root, "packages/sluice/src"), join(root, "docs/reference/errors")];
  if (!isStale(join(root, "packages/sluice/dist/index.js"), sources)) return;
  console.log("Building the library, since it has changed.");
  execFileSync(process.execPath, [join(root, "scripts/build-library.mjs")], { stdio: "inherit" });
}
