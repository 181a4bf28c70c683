/** Whole numbers as Redis reads them: of 64 bits, and written in one way only. */

const WHOLE = /^(?:0|-?[1-9][0-9]{0,18})$/;
const LARGEST = "9223372036854775807";
/** The largest that is told apart from 2^63 where numbers have 53 bits. */
const LARGEST_NUMBER = 2 ** 63 - 1024;

/** The nearest number that JavaScript has, exact up to 2^53; undefined for what is none. */
export function wholeNumber(text: string): number | undefined {
  if (!isWholeNumber(text)) return undefined;
  return Math.max(-LARGEST_NUMBER, Math.min(LARGEST_NUMBER, Number(text)));
}

export function isWholeNumber(text: string): boolean {
  if (!WHOLE.test(text)) return false;
  const digits = text.startsWith("-") ? text.slice(1) : text;
  return digits.length < LARGEST.length || digits <= LARGEST;
}
