/** Rule text to tokens. */
import { type Range, type RuleError, ruleError } from "./diagnostic.js";

export type TokenKind = "number" | "word" | ":" | "/" | "+" | "," | "(" | ")" | "end";

export interface Token extends Range {
  readonly kind: TokenKind;
  readonly text: string;
}

export const LONGEST_TEXT = 65_536;

const SPACE = /\s+/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z0-9_-]*/y;
const SIGNS = ":/+,()";

/** The end is a token too, so that there is always a next one. */
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
  while (start < text.length) {
    start += matchAt(SPACE, text, start)?.length ?? 0;
    if (start === text.length) break;
    const lexeme = lexemeAt(text, start);
    if (lexeme === undefined) throw unknownCharacter(text, start, tokens.at(-1));
    const end = start + lexeme.text.length;
    tokens.push({ ...lexeme, start, end });
    start = end;
  }
  tokens.push({ kind: "end", text: "", start, end: start });
  return tokens;
}

function matchAt(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

function lexemeAt(text: string, start: number): Pick<Token, "kind" | "text"> | undefined {
  const sign = text[start]!;
  if (SIGNS.includes(sign)) return { kind: sign as TokenKind, text: sign };
  const number = matchAt(NUMBER, text, start);
  if (number !== undefined) return { kind: "number", text: number };
  const word = matchAt(WORD, text, start);
  return word === undefined ? undefined : { kind: "word", text: word };
}

function unknownCharacter(text: string, start: number, previous: Token | undefined): RuleError {
  const point = text.codePointAt(start)!;
  const character = String.fromCodePoint(point);
  const error = (problem: string) => ruleError(text, { start, end: start + character.length }, problem);

  const beforeDigit = /^\d/.test(text.slice(start + 1, start + 2));
  const touching = previous?.end === start ? previous.kind : undefined;
  const beginsNumber = beforeDigit && touching !== "word" && touching !== "number";
  if (character === "-" && beginsNumber) return error("Numbers in a rule are never negative.");
  if (character === "." && (beginsNumber || touching === "number")) {
    return error("A number begins and ends with a digit, as in 0.5.");
  }
  if (character === "&" || character === "|") {
    return error('Rules are joined by "or", which refuses when any is over, or "and", only when all are.');
  }
  const printable = /^[^\p{C}\p{M}\s]$/u.test(character);
  const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return error(
    "A rule is made of names (letters a to z, digits, _ and -), numbers and : / + , ( ), " +
      `and this is ${printable ? JSON.stringify(character) : name}.`,
  );
}
