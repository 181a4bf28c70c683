import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../sluice/src/testing/random.js";
import { ProtocolError } from "./protocol-error.js";
import { RequestParser, USUAL_LIMITS } from "./request-parser.js";

function bulks(...args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join("")}`;
}

function parse(chunks: readonly string[]): readonly (readonly string[])[] {
  const parser = new RequestParser();
  const commands: (readonly string[])[] = [];
  for (const chunk of chunks) {
    parser.push(chunk);
    for (let args = parser.next(); args !== undefined; args = parser.next()) commands.push(args);
  }
  expect(parser.finished).toBe(commands.length);
  return commands;
}

describe("a command", () => {
  test.each<[string, string, readonly (readonly string[])[]]>([
    ["is an array of bulk strings", bulks("PING"), [["PING"]]],
    ["may hold any byte", bulks("ECHO", "\r\n$3\r\n\0\xff"), [["ECHO", "\r\n$3\r\n\0\xff"]]],
    ["may have empty arguments", bulks("ECHO", ""), [["ECHO", ""]]],
    ["may be empty, and is then none", `*0\r\n*-1\r\n${bulks("PING")}`, [["PING"]]],
    ["may be a line", "PING\r\nECHO  hello\n", [["PING"], ["ECHO", "hello"]]],
    ["may be an empty line, and is then none", "\r\n\n  \r\nPING\r\n", [["PING"]]],
  ])("%s", (_, text, commands) => expect(parse([text])).toEqual(commands));

  test("comes out the same wherever it is cut", () => {
    const text = `${bulks("ECHO", "one\r\ntwo")}PING "a b"\r\n${bulks("RATELIMIT", "key", "1000", "50000")}*0\r\n`;
    const commands = parse([text]);
    expect(commands).toHaveLength(3);
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(parse([text.slice(0, cut), text.slice(cut)])).toEqual(commands);
    }
    expect(parse([...text])).toEqual(commands);
  });

  test("comes out the same in any pieces", () => {
    const random = seededRandom(7);
    for (let round = 0; round < 300; round += 1) {
      const commands = Array.from({ length: random.integer(1, 12) }, () =>
        Array.from({ length: random.integer(1, 6) }, () => "x\r\n".repeat(random.integer(0, 400))),
      );
      let text = commands.map((args) => bulks(...args)).join("");
      const chunks: string[] = [];
      while (text !== "") {
        const size = random.integer(1, random.pick([3, 50, 2000]));
        chunks.push(text.slice(0, size));
        text = text.slice(size);
      }
      expect(parse(chunks)).toEqual(commands);
    }
  });
});

describe("refused at once", () => {
  test.each([
    ["more arguments than a command has", "*1025\r\n", "invalid multibulk length"],
    ["a count of so many digits", "*99999999999999999999999999999999999999", "invalid multibulk length"],
    ["a negative count of so many digits", `*-${"9".repeat(60)}`, "invalid multibulk length"],
    ["a count that is no number", "*x\r\n", "invalid multibulk length"],
    ["no count", "*\r\n", "invalid multibulk length"],
    ["a long argument", "*1\r\n$65537\r\n", "invalid bulk length"],
    ["a negative length", "*1\r\n$-1\r\n", "invalid bulk length"],
    ["a line that does not end as lines do", "*1\rx", "invalid multibulk length"],
    ["an array in an array", "*1\r\n*1\r\n", "expected '$', got '*'"],
    ["an argument longer than it says", "*1\r\n$4\r\nPINGS\r\n", "longer than its declared length"],
    ["a line without end", "x".repeat(65_537), "too big inline request"],
    ["quotes without end", 'ECHO "a\r\n', "unbalanced quotes"],
  ])("%s", (_, text, message) => {
    expect(() => parse([text])).toThrow(ProtocolError);
    expect(() => parse([text])).toThrow(message);
  });

  test("a command that is too long as a whole, as soon as that is known", () => {
    const longest = `$${USUAL_LIMITS.longestArgument}\r\n${"x".repeat(USUAL_LIMITS.longestArgument)}\r\n`;
    expect(parse([`*16\r\n${longest.repeat(15)}`])).toEqual([]);
    expect(() => parse([`*16\r\n${longest.repeat(15)}$65536\r\n`])).toThrow("invalid bulk length");
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("an unfinished command keeps no more alive than is held", () => {
  const CHUNK = 60_000;
  const padding = bulks("ECHO", "x".repeat(CHUNK));
  test.each([
    [
      "an argument that came in a large chunk",
      [`${padding}*3\r\n$4\r\nECHO\r\n$20\r\n${"y".repeat(20)}\r\n`],
    ],
    ["the beginning of an argument", [`${padding}*2\r\n$4\r\nECHO\r\n$500\r\n${"y".repeat(100)}`]],
    ["a line", [`${padding}ECHO ${"y".repeat(100)}`]],
    ["many small pieces", [`${padding}*2\r\n$4\r\nECHO\r\n$4000\r\n`, ...Array(1_900).fill("yy")]],
    ["many small arguments", [`*1000\r\n${"$2\r\nyy\r\n".repeat(999)}`]],
  ])("%s", (_, chunks) => {
    const parsers = Array.from({ length: 200 }, () => new RequestParser());
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (const parser of parsers) {
      for (const chunk of chunks) {
        // As a socket gives it: a string of its own.
        parser.push(Buffer.from(chunk, "latin1").toString("latin1"));
        while (parser.next() !== undefined) {}
      }
    }
    collectGarbage();
    const kept = (process.memoryUsage().heapUsed - before) / parsers.length;
    expect(kept).toBeLessThan(2 * parsers[0]!.held + 4_000);
  });
});

test("commands that are left for later count as long as they are kept", () => {
  const parser = new RequestParser();
  parser.push(bulks("PING").repeat(100));
  const whole = parser.held;
  for (let number = 0; number < 40; number += 1) parser.next();
  parser.compact();
  expect(parser.held).toBe(whole);
  for (let number = 0; number < 20; number += 1) parser.next();
  parser.compact();
  expect(parser.held).toBe(0.4 * whole);
});

test("what is held is what has come of the command that is not whole", () => {
  const parser = new RequestParser();
  parser.push(`${bulks("PING")}*2\r\n$4\r\nECHO\r\n$1000\r\n`);
  expect(parser.next()).toEqual(["PING"]);
  expect(parser.next()).toBeUndefined();
  expect(parser.isUnfinished).toBe(true);
  const before = parser.held;
  for (let piece = 0; piece < 100; piece += 1) {
    parser.push("0123456789".slice(0, 9));
    expect(parser.next()).toBeUndefined();
  }
  expect(parser.held).toBe(before + 900);
  parser.push(`${"x".repeat(100)}\r\n`);
  expect(parser.next()?.[1]).toHaveLength(1000);
  expect(parser.next()).toBeUndefined();
  expect(parser.held).toBe(0);
  expect(parser.isUnfinished).toBe(false);
});
