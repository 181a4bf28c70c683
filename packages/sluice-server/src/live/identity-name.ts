/** The name that a sketch knows an identity by: its selector values as one text, bounded however long they are. */
import { createHash } from "node:crypto";
import type { Facts } from "sluice";

/** In UTF-16 units, so at most twice as many bytes. Longer names are cut, or an attacker could fill the memory with them. */
export const LONGEST_NAME = 300;
/** What a cut name keeps of the values, as JSON: enough to be recognised. */
const CUT_LENGTH = 180;
const CUT_VALUES = 8;
const HASH_SHOWN = 8;

/** Undefined where a fact says that the limit does not apply. */
export type Values = readonly (string | undefined)[];

/** A value that was cut stands in brackets. */
interface CutName {
  readonly cut: readonly (string | readonly [string] | null)[];
  readonly hash: string;
}

/**
 * JSON, which V8 writes into a string of its own: a piece of a longer string would keep all of that string alive. What is
 * too long is named by its hash, so that two values with the same beginning stay two.
 */
export function nameOf(values: Values): string {
  const whole = JSON.stringify(values);
  if (whole.length <= LONGEST_NAME) return whole;
  const hash = createHash("sha256").update(whole).digest("base64url");
  const kept = values.slice(0, CUT_VALUES);
  const longest = Math.floor(CUT_LENGTH / kept.length);
  return JSON.stringify({ cut: kept.map((value) => cutTo(longest, value)), hash } satisfies CutName);
}

/** As they may be shown: one for each selector, or for the first of them; a value that was cut ends with the hash. */
export function valuesIn(name: string): Values {
  const read = JSON.parse(name) as CutName | readonly (string | null)[];
  if (!("cut" in read)) return read.map((value) => value ?? undefined);
  const end = `… #${read.hash.slice(0, HASH_SHOWN)}`;
  return read.cut.map((value) => (typeof value === "string" ? value : value?.[0].concat(end)));
}

/** What to ask a limiter with; undefined where the name was cut, since nobody knows the values any more. */
export function factsIn(name: string, selectors: readonly string[]): Facts | undefined {
  const read = JSON.parse(name) as CutName | readonly (string | null)[];
  if ("cut" in read) return undefined;
  return Object.fromEntries(selectors.map((selector, place) => [selector, read[place] ?? null]));
}

/** Escapes make text up to six times as long, so it is cut until its JSON fits. */
function cutTo(longest: number, value: string | undefined): CutName["cut"][number] {
  if (value === undefined) return null;
  if (value.length <= longest && JSON.stringify(value).length <= longest + 2) return value;
  let kept = value.slice(0, longest);
  while (JSON.stringify(kept).length > longest + 2) kept = kept.slice(0, kept.length >> 1);
  return [kept];
}
