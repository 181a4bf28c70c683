/** What the drop-in stores share: their options, and rules whose numbers come with each call. */
import type { AlgorithmName } from "../algorithm/registry.js";
import { durationText, LONGEST_SPAN, MICROSECONDS } from "../duration.js";
import { checkOptions } from "../errors.js";
import { remembered } from "../http/remembered.js";
import type { RuleFunction } from "../limiter/rule-choice.js";
import { createSluice, type Sluice } from "../limiter/sluice.js";
import type { Fact, Facts } from "../plan/facts.js";
import { toRule } from "../rule/input.js";
import { limitsOf } from "../rule/rule.js";
import type { Store } from "../store/store.js";

export interface DropInOptions {
  /** Where it counts; in a memory store of its own when left out. It is never closed. */
  readonly store?: Store | undefined;
  /** Keeps apart what shares a store; the name of the middleware when left out. */
  readonly namespace?: string | undefined;
  readonly algorithm?: AlgorithmName | undefined;
  /** Of `sliding-window` and `ar1`: text, such as "1s", or milliseconds. */
  readonly precision?: string | number | undefined;
}

/** The values that a call counts by, under their selectors. They come from a middleware, and may be anything. */
export type Who = { readonly [selector: string]: unknown };

/** How a call is counted: precision and algorithm, as they stand behind a rule's numbers. */
export type Manner = string;

/** Throws on options that no call could work with. What is left out of them is as in a rule, or the `usual` algorithm. */
export function checkedManner(whose: string, options: DropInOptions, usual?: AlgorithmName): Manner {
  checkOptions(whose, options, {
    store: "object",
    namespace: "string",
    algorithm: "string",
    precision: typeof options?.precision === "number" ? "number" : "string",
  });
  const { algorithm = usual, precision } = options;
  const rule = toRule({ limit: 1, per: precision ?? "1s", precision, algorithm });
  const buckets = precision === undefined ? "" : `:${durationText(limitsOf(rule)[0]!.quota.precision!)}`;
  return algorithm === undefined ? buckets : `${buckets} ${algorithm}`;
}

export function openSluice(middleware: string, { namespace = middleware, store }: DropInOptions): Sluice {
  return createSluice({ namespace, store });
}

/** To be given to `limit`: the rule of a call is among its facts. */
export const ruleOfCall: RuleFunction = ({ rule }) => rule as string;

const LONGEST_MS = LONGEST_SPAN / MICROSECONDS.ms;

/** More than anybody can send, and less than any algorithm that counts in buckets can hold. */
export const LARGEST_COUNT = 1_000_000_000_000;

/** The limit that is counted by. */
export function countOf(limit: number): number {
  return Math.min(LARGEST_COUNT, Math.max(0, Math.floor(limit)));
}

function numbersOf(limit: number, perMs: number): string {
  return `${countOf(limit)}/${Math.min(LONGEST_MS, Math.max(1, Math.ceil(perMs)))}ms`;
}

/** Numbers that are known before any call: throws where the algorithm that was asked for cannot hold them. */
export function checkNumbers(limit: number, perMs: number, manner: Manner): void {
  if (manner !== "") toRule(`${numbersOf(limit, perMs)}${manner}`);
}

/**
 * Numbers that come with a call, from a function of the user's perhaps, are too late to be refused. A sliding window
 * holds all of them.
 */
const ruleFor = remembered(1_000, (numbersAndManner) => {
  const [numbers = "", manner = ""] = numbersAndManner.split("|");
  try {
    toRule(numbers + manner);
    return numbers + manner;
  } catch {
    return `${numbers} sliding-window`;
  }
});

/**
 * The facts of a call, its rule among them. An empty value is a value like any other to a middleware, and none to a
 * rule: its selector is left out, which makes a counter that no other value reaches.
 */
export function factsOfCall(who: Who, limit: number, perMs: number, manner: Manner): Facts {
  const facts: Record<string, Fact> = {};
  const selectors: string[] = [];
  for (const [name, value] of Object.entries(who)) {
    if (value === "") continue;
    selectors.push(name);
    /** Null would say that the limit does not apply, which no middleware means by a key. */
    facts[name] = (value ?? undefined) as Fact;
  }
  const start = selectors.length === 0 ? "" : `${selectors.join("+")}:`;
  facts["rule"] = `${start}${ruleFor(`${numbersOf(limit, perMs)}|${manner}`)}`;
  return facts;
}
