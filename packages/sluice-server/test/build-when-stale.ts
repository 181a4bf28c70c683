/** Runs before all tests, behind that of the library: builds the server when what is built is missing or older. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isStale } from "../../sluice/test/build-when-stale.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const server = join(root, "packages/sluice-server");

export default function buildServerWhenStale(): void {
  const sources = ["src", "page", "scripts"].map((folder) => join(server, folder));
  const library = join(root, "packages/sluice/dist");
  if (!isStale(join(server, "dist/cli/main.js"), [...sources, library])) return;
  console.log("Building the server, since it has changed.");
  execFileSync(process.execPath, [join(root, "scripts/build-server.mjs")], { stdio: "inherit" });
}
