/** All that can be said of a rule before it meets a request. */
import {
  type AlgorithmName,
  type Limit,
  limitsOf,
  printRule,
  type RuleInput,
  selectorsOf,
  toRule,
} from "sluice";
import { type HeaderFields, headersOf } from "sluice/http";
import { accuracyOf } from "./accuracy.js";
import { ALGORITHM_NOTES } from "./algorithms.js";
import { exampleKeyOf, exampleOf } from "./example.js";
import { limitInWords, meaningOf, type Saying } from "./meaning.js";
import { type KeyWeight, memoryStoreWeight, redisWeight } from "./memory.js";

export interface Explanation {
  /** Canonical text. */
  readonly rule: string;
  readonly meaning: Saying;
  readonly selectors: readonly string[];
  /** One for each limit of the rule, in its order. */
  readonly limits: readonly LimitExplanation[];
  readonly headers: ExampleHeaders;
}

export interface LimitExplanation {
  readonly rule: string;
  readonly meaning: string;
  readonly algorithm: AlgorithmName;
  readonly because: string;
  readonly idea: string;
  readonly accuracy: string;
  readonly mostInAnyWindow: number;
  readonly retry: string;
  readonly bytesPerKey: { readonly memory: KeyWeight; readonly redis: KeyWeight };
  /** What Redis calls the counter of a user called `user-12345`, in the usual namespace. */
  readonly exampleKey: string;
}

export interface ExampleHeaders {
  readonly afterOneRequest: HeaderFields;
  readonly whenRefused: HeaderFields | null;
}

/** Rejects with RuleError on what is no rule. */
export async function explainRule(input: RuleInput): Promise<Explanation> {
  const rule = toRule(input);
  const { first, refused } = await exampleOf(rule);
  return {
    rule: printRule(rule),
    meaning: meaningOf(rule),
    selectors: selectorsOf(rule),
    limits: await Promise.all(limitsOf(rule).map(explainLimit)),
    headers: {
      afterOneRequest: headersOf(first),
      whenRefused: refused === undefined ? null : headersOf(refused),
    },
  };
}

async function explainLimit(limit: Limit): Promise<LimitExplanation> {
  const { because, idea, retry } = ALGORITHM_NOTES[limit.algorithm];
  const { mostInAnyWindow, words } = accuracyOf(limit);
  const exampleKey = await exampleKeyOf(limit);
  return {
    rule: printRule(limit),
    meaning: limitInWords(limit),
    algorithm: limit.algorithm,
    because: because(limit),
    idea,
    accuracy: words,
    mostInAnyWindow,
    retry: limit.quota.limit === 0 ? "Waiting does not help: no request ever fits." : retry,
    bytesPerKey: { memory: memoryStoreWeight(limit), redis: redisWeight(limit, exampleKey.length) },
    exampleKey,
  };
}
