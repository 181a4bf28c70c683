/** Where and with what something was measured. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

export function machineFacts() {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

export function versionsOf(libraries) {
  return Object.fromEntries(libraries.map((library) => [library, versionOf(library)]));
}

/** By way of the file that would be imported, since not every package lets its package.json be imported. */
function versionOf(library) {
  for (let folder = dirname(entryOf(library)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = manifestIn(folder);
    if (found?.name === library || folder.endsWith(`/node_modules/${library}`)) return found.version;
  }
  throw new Error(`No package.json of ${library} was found.`);
}

function entryOf(library) {
  try {
    return require.resolve(library);
  } catch {
    return require.resolve(`${library}/package.json`);
  }
}

function manifestIn(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
