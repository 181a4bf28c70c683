/** Every command that the docs tell a reader to type, and how it is known to work. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, readText } from "./markdown.js";

interface Package {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly engines?: { readonly node: string };
  readonly scripts?: Readonly<Record<string, string>>;
}

function packageIn(folder: string): Package {
  return JSON.parse(readText(join(folder, "package.json"))) as Package;
}

/** Throws unless what was said is so. */
function check(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}

/** The packed library in real projects is the packaging test's; here, what the README says of it. */
function installs(): void {
  const { name, private: hidden, dependencies, engines } = packageIn("packages/sluice");
  check(name === "sluice" && hidden !== true, "The library must be published as sluice.");
  check(dependencies === undefined, "The library must have no dependencies.");
  check(engines?.node === ">=20.19", "The library must run on Node 20.19.");
}

/** The packed server in a real project is the packaging test's too. */
function installsTheServer(): void {
  const { name, private: hidden, bin } = packageIn("packages/sluice-server");
  check(name === "sluice-server" && hidden !== true, "The server must be published as sluice-server.");
  check(bin?.["sluice"] !== undefined, "The server must bring the command sluice.");
}

/** The server's tests start it, and try what it prints. */
function startsTheServer(): void {
  const { start } = packageIn("").scripts ?? {};
  check(
    start === "npm run --silent build && node packages/sluice-server/bin/sluice.js serve",
    `npm start is: ${start}`,
  );
}

/** Runs the tour alone: the library is built before the tests, and other tests read what a build replaces. */
function showsTheTour(): void {
  const { tour: script } = packageIn("").scripts ?? {};
  check(script === "npm run --silent build && npm run --silent tour -w examples", `The tour is: ${script}`);
  const tour = spawnSync("npm", ["run", "--silent", "tour", "-w", "examples"], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 30_000,
  });
  check(tour.status === 0, `The tour failed: ${tour.stderr}`);
  check(tour.stdout.trim() !== "", "The tour must print something.");
}

function isWhatCiRuns(): void {
  const last = readText(".ci/run").trim().split("\n").at(-1);
  check(last === "npm ci && npm run check", `.ci/run ends with: ${last}`);
  const { check: all = "" } = packageIn("").scripts ?? {};
  for (const part of ["npm run lint", "npm run build", "npm run types", "npm test"]) {
    check(all.includes(part), `npm run check leaves out ${part}.`);
  }
}

function isAScript(name = "", folder = ""): void {
  check(
    packageIn(folder).scripts?.[name] !== undefined,
    `${join(folder, "package.json")} has no script ${name}.`,
  );
}

function isAFile(path = ""): void {
  check(existsSync(join(ROOT, path)), `${path} does not exist.`);
}

type Exercise = (...parts: readonly string[]) => void;

const COMMANDS: readonly (readonly [pattern: RegExp, exercise: Exercise])[] = [
  [/^npm install sluice$/, installs],
  [/^npm install --global sluice-server$/, installsTheServer],
  [/^npm ci && npm start$/, startsTheServer],
  [/^npm run tour$/, showsTheTour],
  [/^npm ci && npm run check$/, isWhatCiRuns],
  [/^npm ci && npm run (build)$/, isAScript],
  [/^npm (test)$/, isAScript],
  [/^npm run ([a-z]+)$/, isAScript],
  [/^npm run ([a-z]+) -w ([a-z]+)(?: -- .+)?$/, isAScript],
  [/^npx vitest run (\S+)$/, isAFile],
  [/^node (examples\/[a-z-]+\.mjs)$/, isAFile],
];

/** Throws unless the line, without its comment, is a command that is known to work. */
export function exercise(line: string): void {
  const command = line.replace(/(^|\s)#.*$/, "").trim();
  if (command === "") return;
  const known = COMMANDS.find(([pattern]) => pattern.test(command));
  if (known === undefined) {
    throw new Error(
      `"${command}" is no known command: add it to test/docs/commands.ts, with a check that it works.`,
    );
  }
  const [pattern, run] = known;
  run(...pattern.exec(command)!.slice(1));
}
