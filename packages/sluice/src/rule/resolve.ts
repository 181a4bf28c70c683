/** From what was written to what it means: defaults filled in, and refused what no algorithm can hold. */
import { type Quota, QuotaError } from "../algorithm/algorithm.js";
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName, isAlgorithmName } from "../algorithm/registry.js";
import { durationText, LONGEST_SPAN } from "../duration.js";
import { nearest } from "./diagnostic.js";
import { type Limit, limitRule } from "./rule.js";

/** A limit as given, by text or by object. Spans in microseconds. */
export interface LimitDraft {
  readonly selectors: readonly string[];
  readonly limit: number;
  readonly span: number;
  readonly precision: number | undefined;
  readonly algorithm: string | undefined;
  readonly burst: number | undefined;
}

/** How to report a mistake in one part of a draft; never returns. */
export type Fail = (part: keyof LimitDraft, problem: string, replacement?: string) => never;

/** The number of buckets or slots in a span when no precision is given. */
const DEFAULT_PARTS = 60;
const SMALLEST_DEFAULT_PRECISION = 1000;

export function resolve(draft: LimitDraft, fail: Fail): Limit {
  const { selectors, limit, span } = draft;
  if (new Set(selectors).size < selectors.length) fail("selectors", "Each selector of a tuple is named once.");
  if (span === 0) fail("span", "A span is longer than zero.");
  if (span > LONGEST_SPAN) fail("span", `A span is at most ${durationText(LONGEST_SPAN)}.`);

  const algorithm = algorithmOf(draft, fail);
  const { takes, params } = ALGORITHMS[algorithm];
  const quota: Quota = {
    limit,
    span,
    ...(takes.includes("precision") && { precision: precisionOf(draft, fail) }),
    ...(takes.includes("burst") && { burst: burstOf(draft, fail) }),
  };
  if (draft.precision !== undefined && !takes.includes("precision")) {
    fail("precision", `${algorithm} has no precision; sliding-window and ar1 have one.`);
  }
  if (draft.burst !== undefined && !takes.includes("burst")) {
    fail("burst", `${algorithm} has no burst; only gcra has one.`);
  }
  try {
    params(quota);
  } catch (error) {
    if (error instanceof QuotaError) fail(error.part, `${error.message}.`);
    throw error;
  }
  return limitRule({ selectors, algorithm, quota });
}

function algorithmOf({ algorithm, precision, burst }: LimitDraft, fail: Fail): AlgorithmName {
  if (algorithm === undefined) {
    if (burst !== undefined) return "gcra";
    return precision === undefined ? "sliding-log" : "sliding-window";
  }
  if (isAlgorithmName(algorithm)) return algorithm;
  const known = [...ALGORITHM_NAMES, "burst", "and", "or"];
  return fail(
    "algorithm",
    `Expected "and", "or", "burst" or an algorithm (${ALGORITHM_NAMES.join(", ")}).`,
    nearest(algorithm, known),
  );
}

function precisionOf({ precision, span }: LimitDraft, fail: Fail): number {
  if (precision === undefined) {
    return Math.min(span, Math.max(SMALLEST_DEFAULT_PRECISION, Math.floor(span / DEFAULT_PARTS)));
  }
  if (precision === 0) fail("precision", "A precision is longer than zero.");
  if (precision > span) {
    fail("precision", `A precision is at most the span, and ${durationText(precision)} is above ${durationText(span)}.`);
  }
  return precision;
}

function burstOf({ burst, limit }: LimitDraft, fail: Fail): number {
  if (burst === undefined) return limit;
  if (burst === 0) fail("burst", "A burst is at least 1.");
  if (limit === 0) fail("burst", "A limit of 0 refuses everything and takes no burst.");
  return burst;
}
