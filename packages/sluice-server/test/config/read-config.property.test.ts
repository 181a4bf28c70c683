/** Whatever a file holds, reading it gives a configuration or mistakes that stand in it, and shows no secret. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMistaken, mistakesText } from "../../src/config/mistake.js";
import { readConfig } from "../../src/config/read-config.js";
import { withoutSecrets } from "../../src/config/secrets.js";

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
      const kept = text.split("\n").find((line) => line.startsWith("  - geheim-geheim"));
      if (kept !== undefined && text.includes("\ntokens:\n  - geheim")) {
        expect(withoutSecrets(text)).not.toContain("geheim-geheim");
      }
    }),
    { numRuns: 2_000 },
  );
});

test("stars keep every line and column where it is", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
      const text = pieces.join("");
      const shown = withoutSecrets(text);
      expect(shown.length).toBe(text.length);
      expect(shown.split("\n").map((line) => line.length)).toEqual(
        text.split("\n").map((line) => line.length),
      );
    }),
    { numRuns: 1_000 },
  );
});
