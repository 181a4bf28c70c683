/** Whatever a file holds, reading it gives a configuration or mistakes that stand in it, and shows no secret. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMistaken, mistakesText } from "../../src/config/mistake.js";
import { readConfig } from "../../src/config/read-config.js";
import { maskedPart } from "../../src/config/shown.js";

const GOOD = `namespace: shop
store: { url: "redis://me:geheim@127.0.0.1:6379", deadlineMs: 100 }
tokens:
  - geheim-geheim
limits:
  login: "ip:5/m or user:20/h"
  search: &search
    rule: >-
      user:10/5m
      or 100/s burst 200
    cost: 2
  again: *search
`;

function expectOrder(text: string): void {
  const result = readConfig(text, "f");
  if (!isMistaken(result)) return;
  const lines = text.split("\n");
  expect(result.mistakes.length).toBeGreaterThan(0);
  let previous = 0;
  for (const { place, message } of result.mistakes) {
    expect(message).not.toBe("");
    if (place === undefined) continue;
    expect(place.line).toBeGreaterThanOrEqual(Math.max(1, previous));
    expect(place.line).toBeLessThanOrEqual(lines.length);
    expect(place.column).toBeLessThanOrEqual(lines[place.line - 1]!.length + 1);
    previous = place.line;
  }
  expect(mistakesText(result)).toContain("f:");
}

test("random text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), expectOrder), { numRuns: 2_000 });
});

test("random bytes", () => {
  const decoder = new TextDecoder();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectOrder(decoder.decode(bytes))),
    { numRuns: 2_000 },
  );
});

const PIECES = [
  ..."abc:?-[]{},&*!|>'\"%@`#~<=/ \t\n\r\\0",
  ...[
    "limits",
    "rule",
    "store",
    "tokens",
    "  ",
    "\n  ",
    ": ",
    "- ",
    "? ",
    "<<: ",
    "&a ",
    "*a",
    "10/s",
    "---\n",
    "...\n",
  ],
  ...["user:5/m", "and", "or", "!!map ", "|\n", ">2-\n", "null", "\uFEFF", "\u2028", "\u0085", "__proto__"],
];

test("random YAML", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) =>
      expectOrder(pieces.join("")),
    ),
    { numRuns: 4_000 },
  );
});

test("a good file with random edits, which never show the token or the password", () => {
  const edit = fc.record({
    at: fc.nat(GOOD.length),
    removed: fc.nat(3),
    added: fc.constantFrom("", ...PIECES),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 3 }), (edits) => {
      const text = edits.reduce(
        (before, { at, removed, added }) => before.slice(0, at) + added + before.slice(at + removed),
        GOOD,
      );
      expectOrder(text);
      const result = readConfig(text, "f");
      // A limit right behind it makes it the name of a selector.
      const isSelector = /geheim\S*:\d+\//.test(text);
      if (isMistaken(result) && !isSelector) expect(JSON.stringify(result)).not.toContain("geheim");
    }),
    { numRuns: 2_000 },
  );
});

test("stars keep every column where it is, wherever a line is cut", () => {
  const part = fc.record({
    pieces: fc.array(fc.constantFrom(...PIECES, "\u{1F600}", "x".repeat(150)), { maxLength: 60 }),
    start: fc.nat(300),
    length: fc.nat(100),
  });
  fc.assert(
    fc.property(part, ({ pieces, start, length }) => {
      const line = pieces.join("").replaceAll("\n", " ");
      const from = Math.min(start, line.length);
      const to = Math.min(from + length, line.length);
      const shown = maskedPart(line, from, to);
      expect(shown.length).toBe(to - from);
      for (let at = 0; at < shown.length; at += 1)
        if (shown[at] !== "*") expect(shown[at]).toBe(line[from + at]);
    }),
    { numRuns: 1_000 },
  );
});
