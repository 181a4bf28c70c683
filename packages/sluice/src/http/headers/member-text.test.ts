import fc from "fast-check";
import { expect, test } from "vitest";
import { memberText } from "./member-text.js";
import { fieldString } from "./structured-field.js";

const LARGEST = 999_999_999_999_999;
const POWERS = Array.from({ length: 15 }, (_, power) => 10 ** power);
const EDGES = [
  0,
  ...POWERS,
  ...POWERS.map((power) => power - 1),
  ...POWERS.map((power) => power + 1),
  LARGEST,
];

const number = fc.oneof(fc.constantFrom(...EDGES), fc.nat(), fc.nat(LARGEST), fc.nat(100));
const name = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
  fc.integer({ min: 980, max: 1010 }).map((length) => "n".repeat(length)),
);

test("says what remains, and for how long where there is something to wait for", () => {
  const member = memberText('"ip:5/m"');
  expect(member(4, 60)).toBe('"ip:5/m";r=4;t=60');
  expect(member(4, 0)).toBe('"ip:5/m";r=4');
  expect(member(LARGEST, LARGEST)).toBe(`"ip:5/m";r=${LARGEST};t=${LARGEST}`);
});

test("is what a template writes, whatever was written before", () => {
  fc.assert(
    fc.property(name, fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 8 }), (name, asked) => {
      const item = fieldString(name);
      const member = memberText(item);
      for (const [remaining, seconds] of asked) {
        const expected = seconds === 0 ? `${item};r=${remaining}` : `${item};r=${remaining};t=${seconds}`;
        expect(member(remaining, seconds)).toBe(expected);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a name too long for one call is written all the same", () => {
  const item = fieldString("n".repeat(1_000_000));
  expect(memberText(item)(4, 60)).toBe(`${item};r=4;t=60`);
});
