/** The sliding window on exact timelines. */
import type { Scenario } from "../scenario.js";

const T = 1_592_171_100_000;
const HOUR = 3_600_000;

export const slidingWindowScenarios: readonly Scenario[] = [
  {
    title: "buckets of 100 ms, step by step",
    rule: "5/s:0.1",
    steps: [
      { at: 1_592_171_101_900, expect: { allowed: true, remaining: 4 } },
      { at: 1_592_171_101_950, expect: { allowed: true, remaining: 3 } },
      { at: 1_592_171_102_013, expect: { allowed: true, remaining: 2 } },
      { at: 1_592_171_102_810, expect: { allowed: true, remaining: 1 } },
      { at: 1_592_171_102_850, expect: { allowed: true, remaining: 0, resetAfterMs: 950 } },
      {
        at: 1_592_171_102_890,
        expect: { allowed: false, remaining: 0, retryAfterMs: 10, resetAfterMs: 910 },
      },
      { at: 1_592_171_102_980, expect: { allowed: true, remaining: 1 } },
    ],
  },
  {
    title: "permissive by up to one bucket",
    rule: "1/s:0.1",
    steps: [
      { at: 1_592_171_101_990, expect: { allowed: true, resetAfterMs: 910 } },
      { at: 1_592_171_102_930, expect: { allowed: true } },
    ],
  },
  {
    title: "buckets of a millisecond are as good as exact",
    rule: "1/s:1ms",
    steps: [
      { at: 0, expect: { allowed: true } },
      { at: 500, expect: { allowed: false, retryAfterMs: 500 } },
      { at: 1_000, expect: { allowed: true } },
      { at: 1_001, expect: { allowed: false } },
      { at: 1_500, expect: { allowed: false } },
      { at: 2_000, expect: { allowed: true } },
      { at: 2_001, expect: { allowed: false } },
    ],
  },
  {
    title: "three in a minute, buckets of 20 s",
    rule: "3/m:20s",
    steps: [
      { at: 0, expect: { allowed: true } },
      { at: 25_000, expect: { allowed: true } },
      { at: 45_000, expect: { allowed: true, remaining: 0 } },
      { at: 50_000, expect: { allowed: false, retryAfterMs: 10_000, resetAfterMs: 50_000 } },
      { at: 59_999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: 60_000, expect: { allowed: true, remaining: 0 } },
    ],
  },
  {
    title: "the exact boundary, to the microsecond",
    rule: "1/s:0.5",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T + 999.999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 1_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a precision that does not divide the span",
    rule: "1/s:0.3",
    steps: [
      { at: 0, expect: { allowed: true } },
      { at: 999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: 1_000, expect: { allowed: true, resetAfterMs: 900 } },
      { at: 1_899, expect: { allowed: false, retryAfterMs: 1 } },
      { at: 1_900, expect: { allowed: true } },
    ],
  },
  {
    title: "costs above one wait for as many buckets, and one can never fit",
    rule: "5/10s:1s",
    steps: [
      { at: T, cost: 2, expect: { allowed: true, remaining: 3 } },
      { at: T + 1_500, cost: 2, expect: { allowed: true, remaining: 1 } },
      { at: T + 2_500, expect: { allowed: true, remaining: 0 } },
      { at: T + 3_000, cost: 2, expect: { allowed: false, retryAfterMs: 7_000 } },
      { at: T + 3_000, cost: 3, expect: { allowed: false, retryAfterMs: 8_000 } },
      { at: T + 3_000, cost: 5, expect: { allowed: false, retryAfterMs: 9_000, resetAfterMs: 9_000 } },
      { at: T + 3_000, cost: 6, expect: { allowed: false, retryAfterMs: Number.POSITIVE_INFINITY } },
    ],
  },
  {
    title: "a long idle time",
    rule: "2/s:0.1",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, expect: { allowed: true, remaining: 1, resetAfterMs: 1_000 } },
    ],
  },
  {
    title: "an hour back: distances are kept, the waits are as without the step",
    rule: "2/h:1m",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T + HOUR / 2, expect: { allowed: true, remaining: 0 } },
      { at: T - HOUR, expect: { allowed: false, retryAfterMs: HOUR / 2, resetAfterMs: HOUR } },
      { at: T - HOUR / 2 - 1, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T - HOUR / 2, expect: { allowed: true, remaining: 0, resetAfterMs: HOUR } },
    ],
  },
  {
    title: "half a second back is waited out",
    rule: "2/s:0.1",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T - 500, expect: { allowed: false, retryAfterMs: 1_500, resetAfterMs: 1_500 } },
      { at: T + 1_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a jump forward is idle time",
    rule: "2/s:0.1",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + HOUR, times: 2, expect: { allowed: true } },
    ],
  },
  {
    title: "a refund takes from the newest bucket back",
    rule: "4/10s:1s",
    steps: [
      { at: T, cost: 2, expect: { remaining: 2 } },
      { at: T + 2_000, cost: 2, expect: { remaining: 0, resetAfterMs: 10_000 } },
      { at: T + 2_000, call: "refund", cost: 3 },
      { at: T + 2_000, call: "peek", expect: { remaining: 3, resetAfterMs: 8_000 } },
      { at: T + 2_000, call: "refund", cost: 5 },
      { at: T + 2_000, call: "peek", expect: { remaining: 4, resetAfterMs: 0 } },
    ],
  },
  {
    title: "charged beyond the limit under an And, the oldest units make room",
    rule: "2/10s:1s and user:3/10s:1s",
    steps: [
      { at: T, facts: { user: "a" }, times: 2, expect: { allowed: true } },
      { at: T + 5_000, facts: { user: "a" }, expect: { allowed: true } },
      { at: T + 5_000, facts: { user: "a" }, expect: { allowed: false, retryAfterMs: 5_000 } },
      { at: T + 10_000, facts: { user: "a" }, times: 2, expect: { allowed: true } },
    ],
  },
  {
    title: "nothing per second refuses everything",
    rule: "0/s:0.1",
    steps: [
      {
        at: T,
        expect: { allowed: false, remaining: 0, retryAfterMs: Number.POSITIVE_INFINITY, resetAfterMs: 0 },
      },
    ],
  },
];
