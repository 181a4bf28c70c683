/** Finds the redis-server program, and installs it with the system's package manager where it is missing. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

interface PackageManager {
  readonly program: string;
  readonly asRoot: boolean;
  readonly update?: readonly string[];
  readonly install: readonly string[];
  /** In the order to try: distributions that dropped Redis offer Valkey. */
  readonly packages: readonly string[];
}

const APT = ["-o", "DPkg::Lock::Timeout=120"];

const MANAGERS: readonly PackageManager[] = [
  {
    program: "apt-get",
    asRoot: true,
    update: [...APT, "update"],
    install: [...APT, "install", "-y"],
    packages: ["redis-server", "valkey-server"],
  },
  { program: "brew", asRoot: false, install: ["install"], packages: ["redis", "valkey"] },
  { program: "dnf", asRoot: true, install: ["install", "-y"], packages: ["redis", "valkey"] },
  { program: "yum", asRoot: true, install: ["install", "-y"], packages: ["redis", "valkey"] },
  { program: "apk", asRoot: true, install: ["add", "--no-cache"], packages: ["redis", "valkey"] },
  { program: "pacman", asRoot: true, install: ["-Sy", "--noconfirm"], packages: ["redis", "valkey"] },
];

/** The path of redis-server or valkey-server, installed first if need be; `REDIS_SERVER` names another one. */
export function ensureRedisServer(): string {
  const chosen = process.env["REDIS_SERVER"];
  if (chosen) return chosen;
  const found = findServer();
  if (found !== undefined) return found;
  const manager = MANAGERS.find(({ program }) => find(program) !== undefined);
  const installed = manager && install(manager);
  if (installed !== undefined) return installed;
  const failed = manager ? ` (installing it with ${manager.program} failed)` : "";
  throw new Error(
    `Install redis-server or valkey-server and put it on the PATH to run these tests${failed}.`,
  );
}

function findServer(): string | undefined {
  return find("redis-server") ?? find("valkey-server");
}

function find(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function install({ program, asRoot, update, install, packages }: PackageManager): string | undefined {
  // `-n`, since a test run must not stand at a password prompt.
  const sudo = asRoot && process.getuid?.() !== 0 && find("sudo") !== undefined ? ["sudo", "-n"] : [];
  const command = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", program];
  if (update)
    run(`redis-server is not installed; asking ${program} for its packages`, [...command, ...update]);
  for (const name of packages) {
    run(`redis-server is not installed; installing ${name} with ${program}`, [...command, ...install, name]);
    const server = findServer();
    if (server !== undefined) return server;
  }
  return undefined;
}

function run(what: string, [program, ...args]: readonly string[]): void {
  console.log(`${what} …`);
  spawnSync(program!, args, { stdio: ["ignore", "inherit", "inherit"] });
}
