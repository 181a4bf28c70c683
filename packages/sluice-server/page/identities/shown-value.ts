/** A value that a caller chose, as it may be shown: short, and with nothing in it that cannot be seen. */

const LONGEST = 300;

/** What is invisible, or turns the direction of what follows, is written out. */
export function shownValue(value: string): string {
  const cut = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  const visible = cut.replace(/[\p{C}\u2028\u2029]/gu, (character) => {
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return visible === "" ? "(empty)" : visible;
}
