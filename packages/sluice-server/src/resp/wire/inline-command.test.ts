import { expect, test } from "vitest";
import { wordsOf } from "./inline-command.js";

test.each<[string, readonly string[]]>([
  ["PING", ["PING"]],
  ["  PING \t x  \r", ["PING", "x"]],
  ['ECHO "a b"', ["ECHO", "a b"]],
  ["ECHO 'a b'", ["ECHO", "a b"]],
  ['ECHO ""', ["ECHO", ""]],
  ['ECHO "\\x41\\n\\"\\q"', ["ECHO", 'A\n"q']],
  ["ECHO 'it\\'s \\n'", ["ECHO", "it's \\n"]],
  ["ECHO \xc3\xa0", ["ECHO", "\xc3\xa0"]],
  ["", []],
])("%j", (line, words) => expect(wordsOf(line)).toEqual(words));

test.each(['"', "'", 'ECHO "a', "ECHO 'a", 'ECHO "a"b', "ECHO 'a\\'", 'a"b"'])("%j is refused", (line) => {
  expect(() => wordsOf(line)).toThrow("unbalanced quotes");
});

/** The shortest of several, since a busy machine only adds to it. */
function fastestMs(line: string): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    try {
      wordsOf(line);
    } catch {}
    return performance.now() - start;
  });
  return Math.min(...times);
}

test.each(['"\\x41', "'\\'", "' '", '" "x', "\\ ", " "])("%j, again and again, takes no time", (piece) => {
  const length = 20_000 * piece.length;
  expect(fastestMs(piece.repeat(20_000))).toBeLessThan(10 * fastestMs("a ".repeat(length / 2)));
});
