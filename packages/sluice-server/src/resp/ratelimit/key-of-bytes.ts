/** Any bytes as a part of a key: two different ones never make one part, and nothing in them can break out. */
import { createHash } from "node:crypto";

const PLAIN = /^[A-Za-z0-9_.@-]$/;
const LONGEST_PART = 200;

/** By byte, how it is written in a key: itself, or `%` and hexadecimal, as the library escapes text. */
const WRITTEN = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return PLAIN.test(character) ? character : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;
});
const IS_PLAIN = Uint8Array.from(WRITTEN, (written) => (written.length === 1 ? 1 : 0));

/** Long ones as `#` and their hash. */
export function keyOfBytes(bytes: string): string {
  if (bytes.length > LONGEST_PART) return hashed(bytes);
  let part = "";
  let start = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes.charCodeAt(index);
    if (IS_PLAIN[byte] === 1) continue;
    part += bytes.slice(start, index) + WRITTEN[byte];
    start = index + 1;
  }
  if (start === 0) return bytes;
  part += bytes.slice(start);
  return part.length > LONGEST_PART ? hashed(bytes) : part;
}

function hashed(bytes: string): string {
  return `#${createHash("sha256").update(bytes, "latin1").digest("hex")}`;
}
