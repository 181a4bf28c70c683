/** The docs of the server are true: every session in a terminal goes as shown, every configuration can be read. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Block, blocksOf, filesUnder, ROOT } from "../../../sluice/test/docs/markdown.js";
import { isMistaken, mistakesText } from "../../src/config/mistake.js";
import { readConfig } from "../../src/config/read-config.js";
import { ensureCurl } from "../find-curl.js";
import { matches, plain, stepsOf } from "./console.js";

const COMMAND = fileURLToPath(new URL("../../bin/sluice.js", import.meta.url));
const BLOCKS = filesUnder("", ".md").flatMap(blocksOf);
const SESSIONS = BLOCKS.filter(({ language }) => language === "console");
const CONFIGURATIONS = BLOCKS.filter(({ language }) => language === "yaml");
const named = (blocks: readonly Block[]) =>
  blocks.map((block) => [`${block.file}:${block.line}`, block] as const);

/** The command on the PATH, and a folder to work in. */
let folder = "";
beforeAll(async () => {
  ensureCurl();
  folder = mkdtempSync(join(tmpdir(), "sluice-docs-"));
  const command = join(folder, "sluice");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  chmodSync(command, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  /** What it printed until it was ready, with the ports of the docs. */
  readonly welcome: string;
  /** By the port that the docs name, the one that was free. */
  readonly ports: Readonly<Record<string, string>>;
  stop(): void;
}

/** Only this much of the environment, so that nothing of the tests' own changes what is printed. */
const environment = () => ({
  PATH: `${folder}${delimiter}${process.env["PATH"]}`,
  LANG: "C.UTF-8",
  COLUMNS: "80",
  // redis-cli then prints as for a reader, and not as for a pipe.
  FAKETTY: "1",
});

async function serve(): Promise<Running> {
  const child = spawn(
    "sluice",
    ["serve", "--log-level", "error", "--resp", "127.0.0.1:0", "--http", "127.0.0.1:0"],
    {
      env: environment(),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let printed = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    printed += chunk;
    if (printed.includes("Stop with")) break;
  }
  const [, resp = "", http = ""] =
    /at 127\.0\.0\.1:(\d+), HTTP at http:\/\/127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
  const ports = { "6380": resp, "8080": http, "6379": String(inject("servers").single.port) };
  return {
    welcome: printed.replaceAll(resp, "6380").replaceAll(http, "8080"),
    ports,
    stop: () => child.kill(),
  };
}

function runInShell(command: string, ports: Running["ports"]): string {
  const adapted = command.replace(/\b(6379|6380|8080)\b/g, (port) => ports[port]!);
  const { stdout, stderr } = spawnSync("sh", ["-c", adapted], {
    cwd: folder,
    env: environment(),
    encoding: "utf8",
    timeout: 30_000,
  });
  const shown = Object.entries(ports).reduce(
    (text, [documented, port]) => text.replaceAll(`:${port}`, `:${documented}`),
    stdout + stderr,
  );
  return plain(shown);
}

const PAGES = [...new Set(SESSIONS.map(({ file }) => file))];

describe.each(PAGES)("%s", (page) => {
  let server: Running;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server.stop());

  test.each(named(SESSIONS.filter(({ file }) => file === page)))("%s goes as shown", (_, block) => {
    const steps = stepsOf(block);
    expect(steps.length).toBeGreaterThan(0);
    for (const { command, expected } of steps) {
      const printed = command === "sluice serve" ? plain(server.welcome) : runInShell(command, server.ports);
      if (!matches(printed, expected)) expect(printed, command).toBe(expected);
    }
  });
});

test("the picture of a simulation is what the command beside it draws", () => {
  const page = readFileSync(join(ROOT, "docs/guide/command-line.md"), "utf8");
  expect(page).toContain("../images/simulate.svg");
  const steps = SESSIONS.flatMap(stepsOf).filter(({ command }) => command.includes("--svg simulate.svg"));
  expect(steps).toHaveLength(1);
  runInShell(steps[0]!.command, {});
  const drawn = readFileSync(join(folder, "simulate.svg"), "utf8");
  expect(readFileSync(join(ROOT, "docs/images/simulate.svg"), "utf8")).toBe(drawn);
});

test.each(named(CONFIGURATIONS))("%s is a configuration", (name, { text }) => {
  const result = readConfig(text, name);
  expect(isMistaken(result) ? mistakesText(result) : "").toBe("");
});
