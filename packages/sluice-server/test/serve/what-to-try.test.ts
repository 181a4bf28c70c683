/** Every command that a server prints works as it is printed, with the programs that are there. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureRedisServer } from "../../../sluice/test/redis-servers/find-redis-server.js";
import { ensureCurl } from "../find-curl.js";
import { SluiceProcess, type StartOptions } from "./sluice-process.js";

const run = promisify(execFile);
const onlyNode = mkdtempSync(join(tmpdir(), "sluice-path-"));
beforeAll(async () => {
  symlinkSync(process.execPath, join(onlyNode, "node"));
  ensureCurl();
});
afterAll(() => rmSync(onlyNode, { recursive: true }));

/** A token of every character that could mean something to a shell or to a protocol. */
const TOKEN = String.raw`$a"b'c\d;e&f|g(h)i<j>k!l#m~n*o?p[q]r{s}t^u%v=w,x.y/z`;
const WITH_TOKEN = `tokens: ['${TOKEN.replaceAll("'", "''")}']\nlimits: { login: "ip:5/m or user:20/h" }`;
const server = ensureRedisServer();
const EVERYTHING = `${dirname(process.execPath)}:${dirname(server)}:${process.env["PATH"]}`;
const CLI = basename(server).replace("server", "cli");

const BY_TOOLS = [
  /^1\n4\n0\n1000000000\n$/,
  /^1\n4\n0\n\d+\n\n*$/,
  /^\{"allowed":true,"remaining":3,/,
  /^HTTP\/1.1 204 No Content\r\n[\s\S]*ratelimit: .*r=2/i,
  /sluice_answer_seconds_count\{surface="http"\}/,
];
const BY_NODE = [
  /^(\+OK\r\n)?\*4\r\n:1\r\n:4\r\n:0\r\n:1000000000\r\n$/,
  /^(\+OK\r\n)?\*5\r\n:1\r\n:4\r\n:0\r\n:\d+\r\n\*0\r\n$/,
  /^200 \{"allowed":true,"remaining":3,/,
  /^204 \n$/,
  /^200 [\s\S]*sluice_answer_seconds_count\{surface="http"\}/,
];

const EVERYWHERE = ["--resp", "0.0.0.0:0", "--http", "[::]:0"];
const IPV6 = ["--resp", "[::1]:0", "--http", "[::1]:0"];
/** Its selectors mean something else to SLUICE.CONSUME and the gate. */
const NONE_TO_TRY = 'limits: { odd: "cost+status:5/m" }';

test.each<[string, StartOptions, string, readonly RegExp[]]>([
  ["redis-cli and curl", {}, EVERYTHING, BY_TOOLS],
  ["redis-cli and curl, a token, everywhere", { config: WITH_TOKEN, args: EVERYWHERE }, EVERYTHING, BY_TOOLS],
  [
    "redis-cli and curl, IPv6, no limit to try",
    { config: NONE_TO_TRY, args: IPV6 },
    EVERYTHING,
    [BY_TOOLS[0]!, /^sluice_ratelimit_decisions_total\{.*\} 1$/m],
  ],
  ["nothing but Node, a token, everywhere", { config: WITH_TOKEN, args: EVERYWHERE }, onlyNode, BY_NODE],
  ["not even Node on the PATH, IPv6", { args: IPV6 }, "/nowhere", BY_NODE],
])("%s", async (_, options, PATH, expected) => {
  await using sluice = new SluiceProcess({ ...options, env: { PATH } });
  await sluice.printed("Stop with Ctrl+C.\n");
  const [, list = ""] = /Try, in another terminal[^\n]*:\n\n(.*)\n\nStop/s.exec(sluice.out) ?? [];
  const commands = list.split("\n").map((line) => line.slice(2));
  expect(commands).toHaveLength(expected.length);
  for (const [index, command] of commands.entries()) {
    const env = { PATH, SLUICE_TOKEN: TOKEN };
    const { stdout, stderr } = await run("/bin/sh", ["-c", command], { env });
    expect(stdout, command).toMatch(expected[index]!);
    expect(stderr, command).toBe("");
    expect(command).toContain(PATH === EVERYTHING ? (command.includes("http:") ? "curl" : CLI) : "node");
  }
  expect(sluice.out).not.toContain(TOKEN);
  const [, page = ""] = /Watch, in a browser: (\S+)\n/.exec(sluice.out) ?? [];
  expect(await (await fetch(page)).text()).toContain("<title>Sluice</title>");
});
