/** A command as a person types it into telnet: words with blanks between, in quotes where there is need. */
import { ProtocolError } from "./protocol-error.js";

/** Blanks are named one by one, since `\s` is also the second byte of "à". No text matches in two ways. */
const WORD = /[ \t]*(?:"((?:\\.|[^"\\])*)"|'((?:\\'|\\(?!')|[^'\\])*)'|([^ \t"']+))(?=[ \t]|$)/sy;
const TRAILING_BLANKS = /(?<![ \t\r])[ \t\r]+$/;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", a: "\x07" };

export function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  const text = line.replace(TRAILING_BLANKS, "");
  WORD.lastIndex = 0;
  while (WORD.lastIndex < text.length) {
    const found = WORD.exec(text);
    if (found === null) throw new ProtocolError("unbalanced quotes in request");
    const [, inDouble, inSingle, plain] = found;
    words.push(plain ?? (inDouble === undefined ? inSingle!.replaceAll("\\'", "'") : unescaped(inDouble)));
  }
  return words;
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
