/** What can be shown where. */
import { expect, test } from "vitest";
import { terminalOn } from "../../src/cli/terminal.js";

function fake(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  return {
    isTTY,
    ...(columns !== undefined && { columns }),
    written,
    write: (text: string) => written.push(text),
  };
}

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
])("colour: a terminal %s with %j", (isTTY, environment, colour) => {
  expect(terminalOn(fake(isTTY), fake(isTTY), environment).colour).toBe(colour);
});

test.each([
  [{ LANG: "de_DE.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LANG: "de_DE.UTF-8", LC_ALL: "C" }, false],
  [{ LC_CTYPE: "en_US.UTF-8", LANG: "C" }, true],
  [{}, false],
  [{ WT_SESSION: "1" }, true],
])("Unicode: %j", (environment, unicode) => {
  expect(terminalOn(fake(true), fake(true), environment).unicode).toBe(unicode);
});

test.each([
  [120, {}, 120],
  [undefined, {}, 80],
  [undefined, { COLUMNS: "100" }, 100],
  [undefined, { COLUMNS: "wide" }, 80],
  [10, {}, 40],
  [1_000, {}, 200],
])("width: %s columns with %j", (columns, environment, width) => {
  expect(terminalOn(fake(true, columns), fake(true), environment).width).toBe(width);
});

test("progress is one line, and gone before anything else is written", () => {
  const [stdout, stderr] = [fake(true), fake(true, 12)];
  const terminal = terminalOn(stdout, stderr, {});
  terminal.progress("half way through it all");
  terminal.out("done");
  terminal.out("really");
  expect(stderr.written).toEqual(["\r\u001b[2Khalf way th", "\r\u001b[2K"]);
  expect(stdout.written).toEqual(["done\n", "really\n"]);
});

test("a terminal that does not know its width is of the usual one", () => {
  const stderr = fake(true, 0);
  terminalOn(fake(true, 0), stderr, {}).progress("half");
  expect(stderr.written).toEqual(["\r\u001b[2Khalf"]);
});

test("nobody is shown progress who would have to read it as text", () => {
  for (const [stderr, environment] of [
    [fake(false), {}],
    [fake(true), { TERM: "dumb" }],
  ] as const) {
    terminalOn(fake(true), stderr, environment).progress("half");
    expect(stderr.written).toEqual([]);
  }
});
