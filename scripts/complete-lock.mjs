/**
 * Completes package-lock.json with the packages for other platforms. npm leaves out of the lock file what the
 * registry at hand does not offer, and `npm ci` then refuses the lock file everywhere. Run after `npm install`.
 */
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const EXACT = /^\d+\.\d+\.\d+$/;

let added = 0;
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  if (!path.startsWith("node_modules/")) continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const [system, cpu] = platformOf(name);
    if (lock.packages[`node_modules/${name}`] !== undefined || system === undefined || !EXACT.test(version))
      continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev && { dev }),
      optional: true,
      os: [system],
    };
    added += 1;
  }
}

/** `@rollup/rollup-linux-arm-gnueabihf` is for linux on arm. */
function platformOf(name) {
  const parts = name.split("/").at(-1).split("-");
  const at = parts.findIndex((part) => SYSTEMS.includes(part));
  return at < 0 ? [] : [parts[at], parts[at + 1]];
}

lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`Added ${added} packages for other platforms.`);
