/** A place in a rule's tokens: looks ahead, moves on, and says what was expected instead. */
import { type Range, type RuleError, ruleError } from "./diagnostic.js";
import { type Token, type TokenKind, tokenize } from "./tokenize.js";

const LONGEST_QUOTED = 30;

export class Cursor {
  private readonly tokens: readonly Token[];
  private index = 0;

  constructor(readonly text: string) {
    this.tokens = tokenize(text);
  }

  /** The token that comes next. */
  get next(): Token {
    return this.tokens[this.index]!;
  }

  /** Where the token before the next one ends. */
  get end(): number {
    return this.tokens[this.index - 1]?.end ?? 0;
  }

  nextIs(kind: TokenKind, ...texts: readonly string[]): boolean {
    return this.next.kind === kind && (texts.length === 0 || texts.includes(this.next.text));
  }

  get nextJoins(): boolean {
    return this.nextIs("word", "and", "or");
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.index += 1;
    return token;
  }

  /** Takes the next token if it is such a one, and says whether it did. */
  takeIf(kind: TokenKind, ...texts: readonly string[]): boolean {
    const taken = this.nextIs(kind, ...texts);
    if (taken) this.take();
    return taken;
  }

  expect(kind: TokenKind, expected: string): Token {
    if (this.next.kind !== kind) throw this.unexpected(expected);
    return this.take();
  }

  unexpected(expected: string, replacement?: string): RuleError {
    return this.error(this.next, `Expected ${expected}, and got ${this.got()}.`, replacement);
  }

  error(range: Range, problem: string, replacement?: string): RuleError {
    return ruleError(this.text, range, problem, replacement);
  }

  private got(): string {
    const { kind, text } = this.next;
    if (kind === "end") return "the end";
    if (this.nextJoins) return `"${text}", which joins rules`;
    return text.length > LONGEST_QUOTED ? `"${text.slice(0, LONGEST_QUOTED)}…"` : `"${text}"`;
  }
}
