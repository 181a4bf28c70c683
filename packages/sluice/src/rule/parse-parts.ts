/** The parts of one limit: selectors, count, span and precision. */
import { isUnit, MICROSECONDS, microsecondsOf, type Unit } from "../duration.js";
import type { Cursor } from "./cursor.js";
import type { Range } from "./diagnostic.js";
import { nearest } from "./nearest.js";
import type { Token } from "./tokenize.js";

/** A part's value and where it stands. */
export interface Placed<T> {
  readonly value: T;
  readonly range: Range;
}

const UNITS = Object.keys(MICROSECONDS);
const A_UNIT = `a unit of time (${UNITS.join(", ")})`;

/** Each inner list is one tuple: `user+ip` is one of two names, `ip,user` is two of one name. */
export function parseSelectors(cursor: Cursor): Placed<readonly (readonly string[])[]> {
  const words = [selector(cursor)];
  const joint = cursor.next.kind;
  if (joint === "+" || joint === ",") {
    while (cursor.takeIf(joint)) words.push(selector(cursor));
    if (cursor.nextIs("+") || cursor.nextIs(",")) {
      throw cursor.error(cursor.next, 'Selectors are joined by "+" or by ",", not by both.');
    }
  }
  const names = words.map((word) => word.text);
  return {
    value: joint === "," ? names.map((name) => [name]) : [names],
    range: { start: words[0]!.start, end: cursor.end },
  };
}

function selector(cursor: Cursor): Token {
  if (cursor.nextJoins) throw cursor.unexpected("the name of a selector");
  return cursor.expect("word", "the name of a selector");
}

export function parseCount(cursor: Cursor, expected: string): Placed<number> {
  const token = cursor.expect("number", expected);
  if (token.text.includes(".")) throw cursor.error(token, "A count is a whole number.");
  if (touches(cursor, token)) {
    const range = { start: token.start, end: cursor.next.end };
    throw cursor.error(range, "A count is a whole number in digits alone, such as 1000.");
  }
  const value = Number(token.text);
  if (!Number.isSafeInteger(value)) {
    throw cursor.error(token, `A count is at most ${Number.MAX_SAFE_INTEGER}.`);
  }
  return { value, range: token };
}

export function parseSpan(cursor: Cursor): Placed<number> {
  const { start } = cursor.next;
  const number = cursor.nextIs("number") ? cursor.take() : undefined;
  if (!cursor.nextIs("word")) {
    throw cursor.unexpected(
      number === undefined ? `a span, such as s or 5m, in ${A_UNIT}` : `${A_UNIT} after the number`,
    );
  }
  const unit = parseUnit(cursor, number);
  return measured(cursor, number?.text ?? "1", unit, start);
}

/** Without a unit, seconds. */
export function parsePrecision(cursor: Cursor): Placed<number> {
  const number = cursor.expect("number", "a precision, such as 0.1 or 1m");
  const hasUnit =
    cursor.nextIs("word") && (touches(cursor, number) || meantUnit(cursor.next.text) !== undefined);
  const unit = hasUnit ? parseUnit(cursor, number) : "s";
  return measured(cursor, number.text, unit, number.start);
}

function parseUnit(cursor: Cursor, number: Token | undefined): Unit {
  const { text, end } = cursor.next;
  const meant = meantUnit(text);
  if (number !== undefined && !touches(cursor, number) && meant !== undefined) {
    const range = { start: number.start, end };
    throw cursor.error(range, "A number and its unit are written together.", number.text + meant);
  }
  if (!isUnit(text)) throw cursor.unexpected(A_UNIT, meant);
  cursor.take();
  return text;
}

function meantUnit(word: string): string | undefined {
  return isUnit(word) ? word : nearest(word, UNITS);
}

/** Whether the next token is a word right behind this one, as in `5m`. */
function touches(cursor: Cursor, token: Token): boolean {
  return cursor.nextIs("word") && cursor.next.start === token.end;
}

function measured(cursor: Cursor, decimal: string, unit: Unit, start: number): Placed<number> {
  const range = { start, end: cursor.end };
  const value = microsecondsOf(decimal, unit);
  if (value === undefined) throw cursor.error(range, "A span is a whole number of microseconds (0.001ms).");
  return { value, range };
}
