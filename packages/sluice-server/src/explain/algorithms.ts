/** What is to be said of each algorithm: why a rule gets it, what it is good for, and what a refused caller meets. */
import type { AlgorithmName, Limit } from "sluice";

export interface AlgorithmNotes {
  /** How a rule comes to be decided by it. */
  readonly because: (limit: Limit) => string;
  readonly idea: string;
  readonly retry: string;
}

const NAMED = () => "named in the rule";

export const ALGORITHM_NOTES: Readonly<Record<AlgorithmName, AlgorithmNotes>> = {
  "sliding-log": {
    because: () => "the default, where a rule has no precision, no burst and no other name",
    idea: "It remembers the instant of every admitted unit, and so keeps the limit as a promise.",
    retry:
      "Room comes back unit by unit, each exactly one span after it was taken. The wait is exact: a retry after it passes, if nobody else took the place.",
  },
  "sliding-window": {
    because: () => "what a precision means",
    idea: "It counts in buckets and forgets each bucket as a whole: nearly a log, in bounded memory.",
    retry:
      "Room comes back bucket by bucket. The wait is exact: a retry after it passes, if nobody else took the place.",
  },
  "fixed-window": {
    because: NAMED,
    idea: "It counts in windows of the clock and begins again at zero with each of them.",
    retry:
      "All room comes back at once, at the end of the window, and so do all who were refused: expect them together.",
  },
  "sliding-counter": {
    because: NAMED,
    idea: "It weighs the previous window by the share of it still in view, and adds the current one.",
    retry:
      "Room comes back evenly, as the previous window moves out of view. The wait is right to a millisecond.",
  },
  gcra: {
    because: ({ quota }) =>
      quota.burst === quota.limit ? "named in the rule" : "what a burst means, here apart from the rate",
    idea: "It is a bucket that holds the burst and refills at an even rate.",
    retry: "Room comes back one by one, at the even rate. The wait is exact.",
  },
  ar1: {
    because: NAMED,
    idea: "It is one number that grows with each request and loses a fixed share in each slot.",
    retry:
      "Room comes back quickly at first and then slowly, since what is used fades by a share. The wait is right to a millisecond.",
  },
};
