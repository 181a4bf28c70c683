/** A member of the RateLimit field as text: what remains of a policy, and for how long, as in `"ip:5/m";r=4;t=60`. */

/** Whole numbers of at most fifteen digits; no seconds are none to tell of. */
export type MemberText = (remaining: number, seconds: number) => string;

const [ZERO, SEMICOLON, T, EQUALS] = codesOf("0;t=") as [number, number, number, number];
/** Beyond it the codes of a text would be too many arguments for one call. */
const LONGEST_FROM_CODES = 1000;

/**
 * Written from codes, in an array that is kept. In a busy server a list that is joined takes more than twice as long,
 * and a sum of texts little less: it is put together by a call of its own, when Node checks the header.
 */
export function memberText(item: string): MemberText {
  const start = `${item};r=`;
  if (start.length > LONGEST_FROM_CODES) return (remaining, seconds) => start + numbers(remaining, seconds);
  const codes = codesOf(start);
  return (remaining, seconds) => {
    let end = putNumber(codes, start.length, remaining);
    if (seconds > 0) {
      codes[end] = SEMICOLON;
      codes[end + 1] = T;
      codes[end + 2] = EQUALS;
      end = putNumber(codes, end + 3, seconds);
    }
    /** Setting it is slow, and it is mostly the same. */
    if (codes.length !== end) codes.length = end;
    return String.fromCharCode(...codes);
  };
}

function numbers(remaining: number, seconds: number): string {
  return seconds > 0 ? `${remaining};t=${seconds}` : `${remaining}`;
}

/** Answers where it ends. */
function putNumber(codes: number[], start: number, number: number): number {
  let end = start + 1;
  for (let bound = 10; bound <= number; bound *= 10) end += 1;
  let rest = number;
  for (let place = end - 1; place >= start; place -= 1) {
    const tens = Math.floor(rest / 10);
    codes[place] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return end;
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
