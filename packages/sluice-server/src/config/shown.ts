/**
 * What of a configuration may be shown. A file may hold secrets anywhere, in the wrong place or under a wrong name most
 * of all, so only words that cannot be one are shown: names of settings, words and limits of rules, and small numbers.
 */
import { ALGORITHM_NAMES } from "sluice";
import { nearestWord } from "../explain/nearest-word.js";
import { IDENTITIES, NAMES, POLICIES } from "./vocabulary.js";

const SETTINGS: readonly string[] = Object.values(NAMES).flat();
const VALUES: readonly string[] = [
  ...["memory", "true", "false", "yes", "no", "on", "off", "null"],
  ...["and", "or", "burst", ...ALGORITHM_NAMES, ...POLICIES, ...IDENTITIES],
];
/** Behind these a number stands, and behind those one of a few words. */
const COUNTED = ["cost", "deadlineMs", "maxKeys", "burst"];
const CHOSEN = ["store", "url", "onFailure", "identities", "shadow", "countRefused", "gateBehindProxy"];
const SMALL_NUMBER = /^-?\d{1,5}(\.\d{1,3})?$/;
/** `ip,user:10/5m:1s`, also with another word for the unit. */
const LIMIT =
  /^([A-Za-z_][\w-]{0,63}([+,][A-Za-z_][\w-]{0,63})*:)?\d{1,9}\/\d{0,5}(\.\d{1,3})?[A-Za-z]{0,8}(:\d{1,5}[a-z]{0,2})?$/;

const WORD = /[^\s\p{C}]+/gu;
/** None of ours is longer, and so is none that is shown. */
const LONGEST_WORD = 200;
const LONGEST_RULE = 2_000;
const LONGEST_QUOTED = 60;

/** A value as it stands in a message: itself, or else of what kind it is. One that is near to a `meant` word is shown. */
export function shown(value: unknown, meant: readonly string[] = []): string {
  if (typeof value === "string") {
    const mayBeShown = value.length <= LONGEST_QUOTED && (isHarmless(value) || isNear(value, meant));
    return mayBeShown ? JSON.stringify(value) : lengthOf(value);
  }
  if (typeof value === "number" || typeof value === "bigint") return "a number";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a map" : String(value);
}

/** Where a number is expected, a small one is shown. */
export function shownNumber(value: unknown): string {
  return typeof value === "number" && SMALL_NUMBER.test(String(value)) ? String(value) : shown(value);
}

/** The name of a setting in a message, where it is one or nearly one. */
export function shownName(name: string): string {
  return isNear(name, SETTINGS) ? JSON.stringify(name) : "this";
}

export function lengthOf(text: string): string {
  return `text of ${text.length} character${text.length === 1 ? "" : "s"}`;
}

/** Whether no word of a value can be a secret. */
export function isHarmless(value: string): boolean {
  return value.length <= LONGEST_RULE && maskedPart(value, 0, value.length) === value;
}

/** A part of a line, with stars in the place of all that may be a secret. `limits` are names that may be shown. */
export function maskedPart(
  line: string,
  start: number,
  end: number,
  limits: ReadonlySet<string> = new Set(),
): string {
  const from = Math.max(0, start - LONGEST_WORD);
  const to = Math.min(line.length, end + LONGEST_WORD);
  let previous = "";
  const around = line.slice(from, to).replace(WORD, (word, at: number) => {
    const isCut = (at === 0 && from > 0) || (at + word.length === to - from && to < line.length);
    const isShown = !isCut && isHarmlessWord(word, previous, limits);
    previous = word;
    return isShown ? word : starsFor(word);
  });
  return around.slice(start - from, end - from);
}

/** What stands around a word stays, so that one still sees where a list or a text ends. */
function starsFor(word: string): string {
  const [, before = "", inside = "", after = ""] = /^(["'([{]*)(.*?)(["')\]},:]*)$/su.exec(word) ?? [];
  return before + "*".repeat(inside.length) + after;
}

/** All of it or nothing, since a secret may hold any sign, and its pieces be words. */
function isHarmlessWord(word: string, previous: string, limits: ReadonlySet<string>): boolean {
  if (word.length > LONGEST_WORD) return false;
  if (LIMIT.test(bare(word))) return true;
  const mayBeNear = isFollowedByAWord(previous);
  for (const { 0: piece, index } of word.matchAll(/[^{}[\](),"']+/g)) {
    const isName = piece.endsWith(":") || /^["']:/.test(word.slice(index + piece.length));
    const text = piece.replace(/:$/, "");
    const isKnown = isName
      ? isNear(text, SETTINGS) || limits.has(text)
      : VALUES.includes(text) || (mayBeNear && isNear(text, VALUES));
    if (!isKnown && !SIGNS.test(piece) && !LIMIT.test(text) && !isCounted(text, previous)) return false;
  }
  return true;
}

/** What stands alone in YAML, and in rules between spaces. */
const SIGNS = /^([-:/?#|+>]|[|>][-+]|---|\.\.\.)$/;

function isCounted(text: string, previous: string): boolean {
  return SMALL_NUMBER.test(text) && isNear(previous.replace(/[^A-Za-z]/g, ""), COUNTED);
}

/** In a rule, or behind a setting that takes one: there a word that is nearly one of ours is no secret. */
function isFollowedByAWord(previous: string): boolean {
  const text = bare(previous);
  return (
    LIMIT.test(text) || VALUES.includes(text) || (text.endsWith(":") && isNear(text.slice(0, -1), CHOSEN))
  );
}

/** Without what stands around it. */
function bare(word: string): string {
  return word.replace(/^["'([{]+|["')\]},]+$/g, "");
}

function isNear(text: string, words: readonly string[]): boolean {
  return words.includes(text) || (/^[A-Za-z_-]{1,24}$/.test(text) && nearestWord(text, words) !== undefined);
}
