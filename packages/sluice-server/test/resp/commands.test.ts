/** What clients say besides asking for decisions. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { rawCommand } from "../../../sluice/test/redis-servers/raw-command.js";
import { RawClient } from "./raw-client.js";
import { redisCli } from "./redis-tools.js";
import { type Served, serve } from "./serve.js";

const LIMITS = { login: "ip:2/m or user:20/h", everyone: "100/s gcra" };

let served: Served;
beforeAll(async () => {
  served = await serve({ limits: LIMITS });
});
afterAll(() => served.close());

test.each<[string, string]>([
  ["PING", "+PONG"],
  ["ping", "+PONG"],
  ["PING hello", "$5\r\nhello"],
  ["PING a b", "-ERR wrong number of arguments for 'ping' command"],
  ["ECHO hello", "$5\r\nhello"],
  ["ECHO", "-ERR wrong number of arguments for 'echo' command"],
  ["ECHO \xff\xc3\xa0", "$3\r\n\xff\xc3\xa0"],
  ["SELECT 0", "+OK"],
  ["SELECT 1", "-ERR DB index is out of range"],
  ["RESET", "+RESET"],
  ["AUTH x", "-ERR AUTH <password> called without any password configured"],
  ["HELLO 4", "-NOPROTO unsupported protocol version"],
  ["HELLO x", "-ERR Protocol version is not an integer or out of range"],
  ["HELLO 2 NONSENSE", "-ERR Syntax error in HELLO option"],
  ["HELLO 2 SETNAME", "-ERR Syntax error in HELLO option"],
  ["HELLO 2 SETNAME me", "*14\r\n$6\r\nserver\r\n$6\r\nsluice"],
  ["HELLO 3", "%7\r\n$6\r\nserver\r\n$6\r\nsluice"],
  ["CLIENT GETNAME", "$-1"],
  ["CLIENT SETNAME me", "+OK"],
  ['CLIENT SETNAME "a b"', "-ERR Client names cannot contain spaces"],
  ["CLIENT SETINFO LIB-NAME x", "+OK"],
  ["CLIENT SETINFO LIB-SIZE x", "-ERR Unrecognized option 'LIB-SIZE'"],
  ["CLIENT SETINFO LIB-VER", "-ERR wrong number of arguments for 'client|setinfo' command"],
  ["CLIENT NO-EVICT on", "+OK"],
  ["CLIENT NO-TOUCH on", "+OK"],
  ["CLIENT INFO", "$"],
  ["CLIENT CONSTRUCTOR", "-ERR unknown subcommand 'CONSTRUCTOR'. CLIENT knows ID, GETNAME"],
  ["CLIENT", "-ERR wrong number of arguments for 'client' command"],
  ["COMMAND COUNT", ":22"],
  ["COMMAND DOCS ping nothing", "*2\r\n$4\r\nping\r\n*6\r\n$7\r\nsummary"],
  ["COMMAND INFO ping nothing", "*2\r\n*10\r\n$4\r\nping\r\n:-1\r\n*1\r\n+fast"],
  ["COMMAND LIST", "*22\r\n$9\r\nratelimit"],
  ["COMMAND NONSENSE", "-ERR unknown subcommand 'NONSENSE'"],
  ["CONFIG GET save", "*2\r\n$4\r\nsave\r\n$0\r\n"],
  ["CONFIG GET nothing", "*0"],
  ["CONFIG SET save x", "-ERR unknown subcommand 'SET'"],
  ["GET x", "-ERR unknown command 'GET', with args beginning with: 'x' "],
  ["SLUICE.CONSUME", "-ERR wrong number of arguments for 'sluice.consume' command"],
  ["SLUICE.CONSUME nothing", "-ERR unknown limit 'nothing'. Try SLUICE.LIMITS."],
  ["SLUICE.CONSUME login ip", "-ERR selectors and values come in pairs"],
  ["SLUICE.CONSUME login ip 1 ip 2", "-ERR the selector 'ip' is given twice"],
  ["SLUICE.CONSUME login ip 1", '-ERR The rule counts by "user", and no value was found for it'],
  ["SLUICE.CONSUME login ip \xff user 1", "-ERR names and values are UTF-8"],
  ["SLUICE.CONSUME login COST", "-ERR COST is followed by a number"],
  ["SLUICE.CONSUME login COST x ip 1 user 2", "-ERR the cost is not an integer of at least 1"],
  ["SLUICE.CONSUME login COST 0 ip 1 user 2", "-ERR the cost is not an integer of at least 1"],
  ["SLUICE.RESET login COST 1 ip 1 user 2", "-ERR SLUICE.RESET forgets all, and takes no COST"],
  ["SLUICE.LIMITS x", "-ERR wrong number of arguments for 'sluice.limits' command"],
  ["SLUICE.PEEK __proto__", "-ERR unknown limit '__proto__'"],
])("%s", async (line, beginning) => {
  using client = new RawClient(served.port);
  client.send(`${line}\r\n`);
  const reply = await client.text(beginning.length);
  expect(reply.slice(0, beginning.length)).toBe(beginning);
  expect(reply.endsWith("\r\n")).toBe(true);
});

test("a name and a library are remembered, until RESET", async () => {
  using client = new RawClient(served.port);
  await client.ask("HELLO", "2", "SETNAME", "me");
  await client.ask("CLIENT", "SETINFO", "lib-name", "mine");
  expect(await client.ask("CLIENT", "GETNAME")).toBe("me");
  const id = await client.ask("CLIENT", "ID");
  expect(await client.ask("CLIENT", "INFO")).toMatch(`id=${id} addr=127.0.0.1:`);
  expect(await client.ask("CLIENT", "INFO")).toMatch(/ name=me .* lib-name=mine lib-ver=\n$/);
  await client.ask("RESET");
  expect(await client.ask("CLIENT", "GETNAME")).toBeNull();
});

test("CLIENT INFO has every field that Redis has, in its order", async () => {
  const fieldsOf = (info: unknown) =>
    String(info)
      .trim()
      .split(" ")
      .map((field) => field.split("=")[0]);
  using client = new RawClient(served.port);
  const theirs = await rawCommand(inject("servers").single.port, [["CLIENT", "INFO"]]);
  const known = fieldsOf(theirs);
  const ours = (await client.ask("CLIENT", "INFO")) as string;
  expect(fieldsOf(ours).filter((field) => known.includes(field))).toEqual(known);
  expect(fieldsOf(ours).slice(-2)).toEqual(["lib-name", "lib-ver"]);
  const { localPort } = client.socket;
  expect(ours).toContain(` addr=127.0.0.1:${localPort} laddr=127.0.0.1:${served.port} `);
  expect(ours).toContain(" flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 ");
});

test("an unknown command is quoted and cut, on one line", async () => {
  using client = new RawClient(served.port);
  const reply = (await client.ask("x".repeat(500), "a\r\nb", "y".repeat(500), "z")) as Error;
  expect(reply.message).toBe(
    `ERR unknown command '${"x".repeat(128)}', with args beginning with: 'a b' '${"y".repeat(121)}' `,
  );
  expect(await client.ask("PING")).toBe("PONG");
});

test("QUIT is answered, and nothing after it", async () => {
  using client = new RawClient(served.port);
  client.send("PING\r\nQUIT\r\nPING\r\n");
  expect(await client.rest()).toBe("+PONG\r\n+OK\r\n");
});

test("a client that ends its side gets its replies", async () => {
  using client = new RawClient(served.port);
  client.socket.end("PING\r\nSLUICE.CONSUME everyone\r\nPING\r\n");
  expect(await client.rest()).toBe("+PONG\r\n*5\r\n:1\r\n:99\r\n:0\r\n:10\r\n*0\r\n+PONG\r\n");
});

test.each(["POST / HTTP/1.1", "GET /x HTTP/1.1", "Host: localhost:6380"])(
  "what a browser sends, %s, ends the connection before its body is a command",
  async (line) => {
    using client = new RawClient(served.port);
    client.send(`${line}\r\nContent-Length: 100\r\n\r\nPING\r\n`);
    expect(await client.rest()).toMatch(/^-ERR unknown command [^\r\n]*\r\n$/);
  },
);

test("INFO and COMMAND say what clients look for", async () => {
  expect(await redisCli(served.port, "INFO")).toEqual(
    expect.arrayContaining([
      expect.stringContaining("redis_version:7."),
      expect.stringContaining("loading:0"),
    ]),
  );
  using client = new RawClient(served.port);
  const commands = (await client.ask("COMMAND")) as unknown[][];
  expect(commands.find(([name]) => name === "ratelimit")).toEqual([
    "ratelimit",
    -4,
    ["fast"],
    1,
    -3,
    3,
    [],
    [],
    [],
    [],
  ]);
  expect((await client.ask("COMMAND", "INFO", "hello")) as unknown[]).toEqual([
    ["hello", -1, ["fast", "no_auth"], 0, 0, 0, [], [], [], []],
  ]);
});

test("every command is told of, by its own name", async () => {
  const told: [string, boolean][] = [];
  const other = await serve({
    limits: LIMITS,
    onCommand: (command, succeeded, milliseconds) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      told.push([command, succeeded]);
    },
  });
  using client = new RawClient(other.port);
  client.send("ping\r\nSLUICE.CONSUME everyone\r\nSLUICE.PEEK login\r\nratelimit k 1 1\r\nevil{}label\r\n");
  await client.replies(5);
  expect(told.sort()).toEqual([
    ["PING", true],
    ["RATELIMIT", true],
    ["SLUICE.CONSUME", true],
    ["SLUICE.PEEK", false],
    ["unknown", false],
  ]);
  await other.close();
});

test("a hook that throws takes nobody's reply away", async () => {
  const other = await serve({
    limits: LIMITS,
    onCommand: () => {
      throw new Error("a bug");
    },
  });
  using client = new RawClient(other.port);
  client.send("PING\r\nSLUICE.CONSUME everyone\r\n");
  expect(await client.replies(2)).toEqual(["PONG", [1, 99, 0, 10, []]]);
  expect(other.complaints).toHaveLength(2);
  await other.close();
});
