/** The parts of one limit: selectors, count, span, precision and options. */
import { isUnit, MICROSECONDS, microsecondsOf, type Unit } from "../duration.js";
import type { Cursor } from "./cursor.js";
import { nearest, type Range } from "./diagnostic.js";
import type { Token } from "./tokenize.js";

/** A part's value and where it stands. */
export interface Placed<T> {
  readonly value: T;
  readonly range: Range;
}

const UNITS = Object.keys(MICROSECONDS);

/** Each inner list is one tuple: `user+ip` is one of two names, `ip,user` is two of one name. */
export function parseSelectors(cursor: Cursor): Placed<readonly (readonly string[])[]> {
  const words = [selector(cursor)];
  const joint = cursor.next.kind;
  if (joint === "+" || joint === ",") {
    while (cursor.nextIs(joint)) {
      cursor.take();
      words.push(selector(cursor));
    }
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
  if (cursor.nextIs("word", "and", "or")) {
    throw cursor.error(cursor.next, `"${cursor.next.text}" joins rules and cannot be a selector's name.`);
  }
  return cursor.expect("word", "the name of a selector");
}

export function parseCount(cursor: Cursor, expected: string): Placed<number> {
  const token = cursor.expect("number", expected);
  const value = Number(token.text);
  if (token.text.includes(".")) throw cursor.error(token, "A count is a whole number.");
  if (!Number.isSafeInteger(value)) throw cursor.error(token, `A count is at most ${Number.MAX_SAFE_INTEGER}.`);
  return { value, range: token };
}

export function parseSpan(cursor: Cursor): Placed<number> {
  const { start } = cursor.next;
  const number = cursor.nextIs("number") ? cursor.take() : undefined;
  if (!cursor.nextIs("word")) {
    const example = number === undefined ? "" : `, as in ${number.text}s`;
    throw cursor.unexpected(`a unit of time (${UNITS.join(", ")})${example}`);
  }
  const unit = parseUnit(cursor, number);
  return measured(cursor, number?.text ?? "1", unit, start);
}

/** Behind its ":"; without a unit, seconds. */
export function parsePrecision(cursor: Cursor): Placed<number> {
  cursor.expect(":", 'a ":" before the precision');
  return parseDuration(cursor);
}

export function parseDuration(cursor: Cursor): Placed<number> {
  const number = cursor.expect("number", "a precision, such as 0.1 or 1m");
  const touched = cursor.nextIs("word") && cursor.next.start === number.end;
  const unit = touched ? parseUnit(cursor, number) : "s";
  return measured(cursor, number.text, unit, number.start);
}

function parseUnit(cursor: Cursor, number: Token | undefined): Unit {
  const { text, start, end } = cursor.next;
  if (!isUnit(text)) {
    throw cursor.unexpected(`a unit of time (${UNITS.join(", ")})`, nearest(text, UNITS));
  }
  if (number !== undefined && start !== number.end) {
    const range = { start: number.start, end };
    throw cursor.error(range, "A number and its unit are written together.", number.text + text);
  }
  cursor.take();
  return text;
}

function measured(cursor: Cursor, decimal: string, unit: Unit, start: number): Placed<number> {
  const range = { start, end: cursor.end };
  const value = microsecondsOf(decimal, unit);
  if (value === undefined) throw cursor.error(range, "A span is a whole number of microseconds (0.001ms).");
  return { value, range };
}

export interface Options {
  readonly algorithm?: Placed<string>;
  readonly burst?: Placed<number>;
}

export function parseOptions(cursor: Cursor): Options {
  let algorithm: Placed<string> | undefined;
  let burst: Placed<number> | undefined;
  while (cursor.nextIs("word") && !cursor.nextIs("word", "and", "or")) {
    const word = cursor.take();
    if (word.text === "burst") {
      if (burst !== undefined) throw cursor.error(word, "A limit has one burst.");
      const count = parseCount(cursor, 'a count after "burst"');
      burst = { value: count.value, range: { start: word.start, end: cursor.end } };
    } else if (isUnit(word.text)) {
      throw cursor.error(word, "A unit is written right behind its number, without a space.");
    } else {
      if (algorithm !== undefined) throw cursor.error(word, "A limit has one algorithm.");
      algorithm = { value: word.text, range: word };
    }
  }
  return { ...(algorithm && { algorithm }), ...(burst && { burst }) };
}
