/** Whole numbers as digits. */

const LARGEST_INTEGER = 2n ** 63n - 1n;
const DIGITS = 10_000;
const FOUR_DIGITS = Array.from({ length: DIGITS }, (_, number) => String(number).padStart(4, "0"));

/**
 * All digits, since large numbers would else be written with zeros or an exponent; never beyond 64 bits. Four digits
 * at a time, since V8 keeps the latest texts that it made of large numbers: under load that is nearly all of its
 * old garbage.
 */
export function integerText(value: number): string {
  if (!Number.isSafeInteger(value)) return beyondNumbers(BigInt(value));
  if (value < 0) return `-${integerText(-value)}`;
  let high = value;
  let low = "";
  while (high >= DIGITS) {
    const higher = Math.floor(high / DIGITS);
    low = FOUR_DIGITS[high - DIGITS * higher]! + low;
    high = higher;
  }
  return high + low;
}

function beyondNumbers(whole: bigint): string {
  return String(whole > LARGEST_INTEGER ? LARGEST_INTEGER : whole);
}
