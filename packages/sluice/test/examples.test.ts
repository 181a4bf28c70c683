/** The examples run as their README says, and print what they are meant to show. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesUnder, ROOT, readText } from "./docs/markdown.js";
import { type RedisServer, startServer } from "./redis-servers/redis-server.js";

let redis: RedisServer;

beforeAll(async () => {
  redis = await startServer();
});

afterAll(() => redis.stop());

/** The lines that a command prints, without what depends on the second in which it is run. */
async function printed(command: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await promisify(execFile)(command, args, {
    cwd: ROOT,
    env: { ...process.env, REDIS_URL: redis.url },
    timeout: 30_000,
  });
  expect(stderr).toBe("");
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/;t=\d+/g, "").trimEnd());
}

const run = (file: string) => printed(process.execPath, join("examples", file));

describe("the examples", () => {
  test("a login that cannot be guessed", async () => {
    expect(await run("login.mjs")).toEqual([
      "a hundred guesses at once: 5 × 401, 95 × 429",
      "one password, a hundred accounts: 20 × 401, 80 × 429",
      "the owner, ten times: 10 × 204",
    ]);
  });

  test("plans with different quotas", async () => {
    expect(await run("plans.mjs")).toEqual([
      "key-0 /items 401",
      'key-1 /items 200 "3/m";r=2',
      'key-1 /report 429 "3/m";r=2',
      'key-2 /report 200 "60/m";r=57,"1000/d";r=997',
      'key-3 /report 200 "100/s burst 500";r=497',
      'key-1 /report 200 "60/m";r=57,"1000/d";r=997',
    ]);
  });

  test("a proxy before a language model that settles tokens", async () => {
    const lines = await run("llm-proxy.mjs");
    expect(lines.slice(0, 4)).toEqual([
      '800 reserved: "tokens:user:1000/m";r=200',
      "another 800 at the same time: 429",
      "read it all: 54 used",
      '800 again, later: "tokens:user:1000/m";r=146',
    ]);
    const used = /^left early: (\d+) used$/.exec(lines[4] ?? "")?.[1];
    expect(Number(used)).toBeGreaterThanOrEqual(5);
    expect(Number(used)).toBeLessThan(55);
  });

  test("a client that waits instead of failing", async () => {
    const lines = await run("patient-client.mjs");
    expect(lines.slice(0, 3)).toEqual([
      "at once: 10 × 200, 2 × 429",
      "in a hurry: not sent",
      "patiently: 12 × 200",
    ]);
    const seconds = Number(/^it took (\S+) s$/.exec(lines[3] ?? "")?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(1.4);
  });

  test("processes that share a quota over Redis", async () => {
    const lines = await run("shared-quota.mjs");
    const started = lines.map((line) => Number(/^after \d+ s: (\d+) jobs$/.exec(line)?.[1]));
    expect(Math.max(...started)).toBe(10);
    expect(started.reduce((sum, count) => sum + count)).toBe(30);
  });

  test("a NestJS controller", async () => {
    expect(await printed("npm", "run", "--silent", "nest", "-w", "examples")).toEqual([
      'GET /items 200 "all:ip:6/m";r=5',
      'POST /orders 400 "all:ip:6/m";r=4',
      'POST /orders 201 "all:ip:6/m";r=3,"orders:account:2/m";r=1',
      'POST /orders 201 "all:ip:6/m";r=2,"orders:account:2/m";r=0',
      'POST /orders 429 "all:ip:6/m";r=1,"orders:account:2/m";r=0',
      'POST /orders 201 "all:ip:6/m";r=0,"orders:account:2/m";r=1',
      'GET /items 429 "all:ip:6/m";r=0',
      "GET /health 200",
    ]);
  });

  test("a route handler of Next.js, which is called as Next.js does", async () => {
    await printed(process.execPath, "node_modules/typescript/bin/tsc", "-p", "examples");
    const route = pathToFileURL(join(ROOT, ".tmp/examples/next-route.js")).href;
    const caller = `
      import { GET, PUT } from ${JSON.stringify(route)};
      async function call(handler, method, body) {
        const headers = { "x-forwarded-for": "192.0.2.7" };
        const request = new Request("https://example.org/api/users/ada", { method, headers, body });
        const response = await handler(request, { params: Promise.resolve({ id: "ada" }) });
        console.log(method, response.status, response.headers.get("ratelimit"), await response.text());
      }
      await call(GET, "GET");
      await call(PUT, "PUT", "no JSON");
      for (const body of ["1", "2", "3"]) await call(PUT, "PUT", body);
      process.exit();
    `;
    const lines = await printed(process.execPath, "--input-type=module", "--eval", caller);
    expect(lines.slice(0, 4)).toEqual([
      'GET 200 "read:ip:60/m";r=59 {"id":"ada"}',
      'PUT 400 "write:ip:2/m";r=1 {"error":"Not JSON"}',
      'PUT 200 "write:ip:2/m";r=1 {"id":"ada","body":1}',
      'PUT 200 "write:ip:2/m";r=0 {"id":"ada","body":2}',
    ]);
    expect(lines[4]).toMatch(/^PUT 429 "write:ip:2\/m";r=0 .*quota-exceeded/);
  });

  test("are all in the table, and say how they are run", () => {
    const table = readText("examples/README.md");
    const files = [...filesUnder("examples", ".mjs"), ...filesUnder("examples", ".ts")];
    for (const file of files) expect(table).toContain(`](${file.replace("examples/", "")})`);
  });
});
