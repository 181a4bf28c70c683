import fc from "fast-check";
import { expect, test } from "vitest";
import { integerText } from "./integer-text.js";

test.each([
  [0, "0"],
  [-0, "0"],
  [7, "7"],
  [9_999, "9999"],
  [10_000, "10000"],
  [-10_001, "-10001"],
  [100_000_000, "100000000"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  [Number.MIN_SAFE_INTEGER, "-9007199254740991"],
  [1e18, "1000000000000000000"],
  [2 ** 63, "9223372036854775807"],
  [1e21, "9223372036854775807"],
])("%d is written as %s", (value, text) => expect(integerText(value)).toBe(text));

test("any whole number is written as BigInt writes it", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => integerText(value) === String(BigInt(value))),
    { numRuns: 10_000 },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 900_719_925_474 }),
      fc.constantFrom(-1, 0, 1, 9_999),
      (tenThousands, off) => {
        const value = 10_000 * tenThousands + off;
        return integerText(value) === String(BigInt(value));
      },
    ),
    { numRuns: 10_000 },
  );
});
