/** From what was written to what it means: defaults filled in, and refused what no algorithm can hold. */
import { type Quota, QuotaError } from "../algorithm/algorithm.js";
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from "../algorithm/registry.js";
import { durationText, LONGEST_SPAN } from "../duration.js";
import { type Limit, limitRule } from "./rule.js";

/** A limit as given, by text or by object. Spans in microseconds. */
export interface LimitDraft {
  readonly selectors: readonly string[];
  readonly limit: number;
  readonly span: number;
  readonly precision: number | undefined;
  readonly algorithm: AlgorithmName | undefined;
  readonly burst: number | undefined;
}

/** How to report a mistake in one part of a draft; never returns. */
export type Fail = (part: keyof LimitDraft, problem: string, replacement?: string) => never;

/** Keeps the text of every rule below the longest text, so that what is printed can be parsed. */
export const LONGEST_SELECTOR = 128;

/** The number of buckets or slots in a span when no precision is given. */
const DEFAULT_PARTS = 60;
const SMALLEST_DEFAULT_PRECISION = 1000;

export function resolve(draft: LimitDraft, fail: Fail): Limit {
  const { selectors, limit, span } = draft;
  if (new Set(selectors).size < selectors.length)
    fail("selectors", "Each selector of a tuple is named once.");
  if (selectors.join("+").length > LONGEST_SELECTOR) {
    fail("selectors", `A selector has at most ${LONGEST_SELECTOR} characters, and so has a tuple of them.`);
  }
  if (span === 0) fail("span", "A span is longer than zero.");
  if (span > LONGEST_SPAN) fail("span", `A span is at most ${durationText(LONGEST_SPAN)}.`);

  const algorithm = draft.algorithm ?? defaultAlgorithm(draft);
  const { takes, params } = ALGORITHMS[algorithm];
  for (const part of ["precision", "burst"] as const) {
    if (draft[part] !== undefined && !takes.includes(part)) fail(part, notTaken(part, algorithm, draft));
  }
  const quota: Quota = {
    limit,
    span,
    ...(takes.includes("precision") && { precision: precisionOf(draft, fail) }),
    ...(takes.includes("burst") && { burst: burstOf(draft, fail) }),
  };
  try {
    params(quota);
  } catch (error) {
    if (error instanceof QuotaError) fail(error.part, `${error.message}.`);
    throw error;
  }
  return limitRule({ selectors, algorithm, quota });
}

function defaultAlgorithm({ precision, burst }: LimitDraft): AlgorithmName {
  if (burst !== undefined) return "gcra";
  return precision === undefined ? "sliding-log" : "sliding-window";
}

function notTaken(part: "precision" | "burst", algorithm: AlgorithmName, draft: LimitDraft): string {
  const who = draft.algorithm === undefined ? `A burst makes the limit ${algorithm}, which` : algorithm;
  const others = ALGORITHM_NAMES.filter((name) => ALGORITHMS[name].takes.includes(part));
  return `${who} has no ${part}; ${others.join(" and ")} ${others.length === 1 ? "has" : "have"} one.`;
}

function precisionOf({ precision, span }: LimitDraft, fail: Fail): number {
  if (precision === undefined) {
    return Math.min(span, Math.max(SMALLEST_DEFAULT_PRECISION, Math.floor(span / DEFAULT_PARTS)));
  }
  if (precision === 0) fail("precision", "A precision is longer than zero.");
  if (precision > span) fail("precision", `A precision is at most the span, here ${durationText(span)}.`);
  return precision;
}

function burstOf({ burst, limit }: LimitDraft, fail: Fail): number {
  if (burst === undefined) return limit;
  if (burst === 0) fail("burst", "A burst is at least 1.");
  if (limit === 0) fail("burst", "A limit of 0 refuses everything and takes no burst.");
  return burst;
}
