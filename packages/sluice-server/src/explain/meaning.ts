/** What a rule says, read aloud. */
import type { Limit, Rule } from "sluice";
import { durationInWords, roughDuration, spanInWords } from "./duration.js";
import { grouped, listed } from "./numbers.js";

/** One line, or a heading over the lines below it, as many levels deep as the rule. */
export interface Saying {
  readonly words: string;
  readonly parts: readonly Saying[];
}

export function meaningOf(rule: Rule): Saying {
  if (rule.kind === "limit") return { words: limitInWords(rule), parts: [] };
  return { words: `${HEADINGS[rule.kind]}:`, parts: rule.rules.map(partOf) };
}

const HEADINGS = {
  or: "Refuses when any of these is over",
  and: "Refuses only when all of these are over",
} as const;

function partOf(rule: Rule): Saying {
  if (rule.kind === "limit") return meaningOf(rule);
  const words = rule.kind === "or" ? "any of these:" : "all of these together:";
  return { words, parts: rule.rules.map(partOf) };
}

export function limitInWords(limit: Limit): string {
  const { quota } = limit;
  if (quota.limit === 0) return `${whoOf(limit)}: nothing at all, since the limit is 0`;
  return `${whoOf(limit)}: ${QUOTA_IN_WORDS[limit.algorithm](limit)}`;
}

function whoOf({ selectors }: Limit): string {
  if (selectors.length === 0) return "All calls together";
  if (selectors.length === 1) return `Each ${selectors[0]}`;
  return `Each ${selectors.length === 2 ? "pair" : "combination"} of ${listed(selectors)}`;
}

const QUOTA_IN_WORDS: Readonly<Record<Limit["algorithm"], (limit: Limit) => string>> = {
  "sliding-log": ({ quota }) => `at most ${grouped(quota.limit)} in any ${spanInWords(quota.span)}`,
  "sliding-window": ({ quota }) =>
    `at most ${grouped(quota.limit)} in any ${spanInWords(quota.span)}, ` +
    `counted in buckets of ${durationInWords(quota.precision!)}`,
  "fixed-window": ({ quota }) =>
    `at most ${grouped(quota.limit)} in each ${spanInWords(quota.span)} of the clock${alignment(quota.span)}`,
  "sliding-counter": ({ quota }) =>
    `about ${grouped(quota.limit)} in any ${spanInWords(quota.span)}, estimated from two windows of the clock`,
  gcra: ({ quota }) =>
    `${grouped(quota.limit)} in ${withOne(spanInWords(quota.span))}, evenly: ` +
    `up to ${grouped(quota.burst!)} at once, then one every ${roughDuration(quota.span / quota.limit)}`,
  ar1: ({ quota }) =>
    `up to ${grouped(quota.limit)} from rest; of what is in use, ${share(quota.precision! / quota.span)} ` +
    `fades every ${spanInWords(quota.precision!)}`,
};

const DAY = 86_400_000_000;
const WEEK = 7 * DAY;

function alignment(span: number): string {
  if (span === DAY) return ", from midnight to midnight UTC";
  return span === WEEK ? ", which begin on Thursdays at midnight UTC" : "";
}

function withOne(span: string): string {
  if (/^\d/.test(span)) return span;
  return span === "hour" ? "an hour" : `a ${span}`;
}

function share(part: number): string {
  return part === 1 ? "all" : `${Number((100 * part).toPrecision(2))} %`;
}
