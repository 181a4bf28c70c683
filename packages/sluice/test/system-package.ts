/** Finds a program that tests need, and installs it with the system's package manager where it is missing. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

type ManagerName = "apt-get" | "brew" | "dnf" | "yum" | "apk" | "pacman";

export interface SystemProgram {
  /** What it may be called, in the order to take. */
  readonly programs: readonly string[];
  /** An environment variable that names another one. */
  readonly variable: string;
  /** Where it may be besides the PATH. */
  readonly folders?: readonly string[];
  /** In the order to try. */
  readonly packages: Readonly<Record<ManagerName, readonly string[]>>;
}

interface PackageManager {
  readonly program: ManagerName;
  readonly asRoot: boolean;
  readonly update?: readonly string[];
  readonly install: readonly string[];
}

const APT = ["-o", "DPkg::Lock::Timeout=120"];

const MANAGERS: readonly PackageManager[] = [
  { program: "apt-get", asRoot: true, update: [...APT, "update"], install: [...APT, "install", "-y"] },
  { program: "brew", asRoot: false, install: ["install"] },
  { program: "dnf", asRoot: true, install: ["install", "-y"] },
  { program: "yum", asRoot: true, install: ["install", "-y"] },
  { program: "apk", asRoot: true, install: ["add", "--no-cache"] },
  { program: "pacman", asRoot: true, install: ["-Sy", "--noconfirm"] },
];

/** The program's path, after it was installed if need be. */
export function ensureProgram(wanted: SystemProgram): string {
  const chosen = process.env[wanted.variable];
  if (chosen) return chosen;
  const found = findAny(wanted);
  if (found !== undefined) return found;
  const manager = MANAGERS.find(({ program }) => find(program) !== undefined);
  const installed = manager && install(wanted, manager);
  if (installed !== undefined) return installed;
  const failed = manager ? ` (installing it with ${manager.program} failed)` : "";
  throw new Error(
    `Install ${wanted.programs.join(" or ")} and put it on the PATH to run these tests${failed}.`,
  );
}

function findAny({ programs, folders }: SystemProgram): string | undefined {
  return programs.map((program) => find(program, folders)).find((path) => path !== undefined);
}

function find(program: string, others: readonly string[] = []): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...folders, ...others].map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function install(wanted: SystemProgram, manager: PackageManager): string | undefined {
  const { program, asRoot, update, install } = manager;
  // `-n`, since a test run must not stand at a password prompt.
  const sudo = asRoot && process.getuid?.() !== 0 && find("sudo") !== undefined ? ["sudo", "-n"] : [];
  const command = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", program];
  const missing = `${wanted.programs[0]} is not installed`;
  if (update) run(`${missing}; asking ${program} for its packages`, [...command, ...update]);
  for (const name of wanted.packages[program]) {
    run(`${missing}; installing ${name} with ${program}`, [...command, ...install, name]);
    const installed = findAny(wanted);
    if (installed !== undefined) return installed;
  }
  return undefined;
}

function run(what: string, [program, ...args]: readonly string[]): void {
  console.log(`${what} …`);
  spawnSync(program!, args, { stdio: ["ignore", "inherit", "inherit"] });
}
