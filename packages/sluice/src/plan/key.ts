/** Any text as a part of a key: two different texts never make one part, and nothing in it can break out. */
import { sha256 } from "./sha256.js";

const PLAIN = /^[A-Za-z0-9_.@-]$/;
const PLAIN_CODES = Array.from({ length: 128 }, (_, code) => PLAIN.test(String.fromCharCode(code)));
const LONGEST_PART = 200;

/**
 * Letters, digits and `_ . @ -` stand for themselves. Everything else, separators, braces, globs, spaces
 * and control characters among it, is written as `%` and hexadecimal, and long text as `#` and its hash.
 */
export function keyPart(text: string): string {
  if (text.length > LONGEST_PART) return `#${sha256(text)}`;
  if (isPlain(text)) return text;
  let part = "";
  for (const character of text) part += PLAIN.test(character) ? character : escaped(character);
  return part.length > LONGEST_PART ? `#${sha256(text)}` : part;
}

/** A loop, since this is asked at every request and beats a regular expression. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (PLAIN_CODES[text.charCodeAt(index)] !== true) return false;
  }
  return true;
}

function escaped(character: string): string {
  const point = character.codePointAt(0)!;
  if (point < 0x80) return `%${point.toString(16).padStart(2, "0").toUpperCase()}`;
  const loneSurrogate = point >= 0xd800 && point <= 0xdfff;
  return loneSurrogate ? `%u${point.toString(16).toUpperCase()}` : encodeURIComponent(character);
}
