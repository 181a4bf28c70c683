/** Bytes as a string, one character for each: what arguments and replies are inside, since any byte may be in them. */

export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that UTF-8 makes of it, or undefined: two arguments that are no text must not become the same one. */
export function textOf(bytes: string): string | undefined {
  if (isAscii(bytes)) return bytes;
  try {
    return decoder.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

/** A piece cut from a longer string keeps all of that string alive. */
export function ownCopy(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("latin1");
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}
