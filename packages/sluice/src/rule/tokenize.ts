/** Rule text to tokens. */
import { type Range, ruleError } from "./diagnostic.js";

export type TokenKind = "number" | "word" | ":" | "/" | "+" | "," | "(" | ")" | "end";

export interface Token extends Range {
  readonly kind: TokenKind;
  readonly text: string;
}

export const LONGEST_TEXT = 65_536;

const SPACE = /\s+/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z0-9_-]*/y;
const SYMBOLS = ":/+,()";

export function tokenize(text: string): readonly Token[] {
  if (text.length > LONGEST_TEXT) {
    throw ruleError(
      text,
      { start: LONGEST_TEXT, end: LONGEST_TEXT + 1 },
      `A rule has at most ${LONGEST_TEXT} characters, and this one has ${text.length}.`,
    );
  }
  const tokens: Token[] = [];
  let start = 0;
  const matchAt = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = start;
    return pattern.exec(text)?.[0];
  };
  while (start < text.length) {
    const space = matchAt(SPACE);
    if (space !== undefined) {
      start += space.length;
      continue;
    }
    const token = symbolAt(text, start) ?? tokenOf("number", matchAt(NUMBER)) ?? tokenOf("word", matchAt(WORD));
    if (token === undefined) throw unexpectedCharacter(text, start);
    tokens.push({ ...token, start, end: start + token.text.length });
    start += token.text.length;
  }
  tokens.push({ kind: "end", text: "", start: text.length, end: text.length });
  return tokens;
}

type Lexeme = Pick<Token, "kind" | "text">;

function symbolAt(text: string, position: number): Lexeme | undefined {
  const character = text[position]!;
  return SYMBOLS.includes(character) ? { kind: character as TokenKind, text: character } : undefined;
}

function tokenOf(kind: TokenKind, text: string | undefined): Lexeme | undefined {
  return text === undefined ? undefined : { kind, text };
}

function unexpectedCharacter(text: string, start: number): Error {
  const range = { start, end: start + 1 };
  if (text[start] === "-") return ruleError(text, range, "Numbers in a rule are never negative.");
  if (text[start] === ".") return ruleError(text, range, "A number begins and ends with a digit, as in 0.5.");
  return ruleError(
    text,
    range,
    `A rule is made of letters, digits and : / + , ( ), and this is ${describe(text, start)}.`,
  );
}

function describe(text: string, start: number): string {
  const point = text.codePointAt(start)!;
  const printable = /^[^\p{C}\s]$/u.test(String.fromCodePoint(point));
  return printable
    ? JSON.stringify(String.fromCodePoint(point))
    : `the character U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
