/** GCRA on exact timelines. */
import type { Scenario } from "../scenario.js";

const T = 1_592_171_100_000;
const HOUR = 3_600_000;

export const gcraScenarios: readonly Scenario[] = [
  {
    title: "a period of 10 s and room for 50 s",
    rule: "5/50s gcra",
    steps: [
      { at: T, expect: { allowed: true, remaining: 4, retryAfterMs: 0, resetAfterMs: 10_000 } },
      { at: T, expect: { allowed: true, remaining: 3, resetAfterMs: 20_000 } },
      { at: T, expect: { allowed: true, remaining: 2, resetAfterMs: 30_000 } },
      { at: T, expect: { allowed: true, remaining: 1, resetAfterMs: 40_000 } },
      { at: T, expect: { allowed: true, remaining: 0, resetAfterMs: 50_000 } },
      { at: T, expect: { allowed: false, remaining: 0, retryAfterMs: 10_000, resetAfterMs: 50_000 } },
      { at: T + 4_000, expect: { allowed: false, retryAfterMs: 6_000, resetAfterMs: 46_000 } },
      { at: T + 10_000, expect: { allowed: true, remaining: 0, resetAfterMs: 50_000 } },
    ],
  },
  {
    title: "the exact boundary, to the microsecond",
    rule: "5/50s gcra",
    steps: [
      { at: T, times: 5, expect: { allowed: true } },
      { at: T + 9_999.999, expect: { allowed: false, retryAfterMs: 1, resetAfterMs: 40_001 } },
      { at: T + 10_000, expect: { allowed: true, remaining: 0 } },
    ],
  },
  {
    title: "a burst above the count",
    rule: "10/s burst 20",
    steps: [
      { at: T, times: 20, expect: { allowed: true } },
      { at: T, expect: { allowed: false, retryAfterMs: 100, resetAfterMs: 2_000 } },
      { at: T + 100, expect: { allowed: true, remaining: 0 } },
      { at: T + 100, expect: { allowed: false } },
      { at: T + 2_100, call: "peek", expect: { allowed: true, remaining: 20, resetAfterMs: 0 } },
    ],
  },
  {
    title: "a burst of one spaces requests evenly",
    rule: "10/s burst 1",
    steps: [
      { at: T, expect: { allowed: true, remaining: 0, resetAfterMs: 100 } },
      { at: T + 99, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 100, expect: { allowed: true } },
    ],
  },
  {
    title: "costs above one, and one that can never fit",
    rule: "10/s gcra",
    steps: [
      { at: T, cost: 7, expect: { allowed: true, remaining: 3, resetAfterMs: 700 } },
      { at: T, cost: 4, expect: { allowed: false, remaining: 3, retryAfterMs: 100 } },
      { at: T, cost: 3, expect: { allowed: true, remaining: 0 } },
      { at: T, cost: 10, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T, cost: 11, expect: { allowed: false, retryAfterMs: Number.POSITIVE_INFINITY } },
    ],
  },
  {
    title: "a rate that no whole number of microseconds expresses",
    rule: "7/s gcra",
    steps: [
      { at: T, times: 7, expect: { allowed: true } },
      { at: T, expect: { allowed: false, retryAfterMs: 143, resetAfterMs: 1_000 } },
      { at: T + 142.857, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 142.858, expect: { allowed: true } },
      { at: T + 285.714, expect: { allowed: false } },
      { at: T + 285.715, expect: { allowed: true } },
      { at: T + 1_000, times: 5, expect: { allowed: true } },
      { at: T + 1_000, expect: { allowed: false } },
    ],
  },
  {
    title: "a long idle time fills the bucket and no more",
    rule: "3/s gcra",
    steps: [
      { at: T, times: 3, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, times: 3, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, expect: { allowed: false, retryAfterMs: 334 } },
    ],
  },
  {
    title: "an hour back: the wait is as long as without the step, and nothing is forgiven",
    rule: "5/50s gcra",
    steps: [
      { at: T, times: 5, expect: { allowed: true } },
      { at: T - HOUR, expect: { allowed: false, retryAfterMs: 10_000, resetAfterMs: 50_000 } },
      { at: T - HOUR + 9_999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T - HOUR + 10_000, expect: { allowed: true, remaining: 0 } },
    ],
  },
  {
    title: "half a second back is waited out",
    rule: "5/50s gcra",
    steps: [
      { at: T, times: 5, expect: { allowed: true } },
      { at: T - 500, expect: { allowed: false, retryAfterMs: 10_500, resetAfterMs: 50_500 } },
      { at: T + 10_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a jump forward is idle time",
    rule: "5/50s gcra",
    steps: [
      { at: T, times: 5, expect: { allowed: true } },
      { at: T + HOUR, expect: { allowed: true, remaining: 4, resetAfterMs: 10_000 } },
    ],
  },
  {
    title: "a refund is never better than unused",
    rule: "5/50s gcra",
    steps: [
      { at: T, cost: 3, expect: { remaining: 2 } },
      { at: T, call: "refund", cost: 2 },
      { at: T, call: "peek", expect: { remaining: 4, resetAfterMs: 10_000 } },
      { at: T, call: "refund", cost: 4 },
      { at: T, call: "peek", expect: { remaining: 5, resetAfterMs: 0 } },
    ],
  },
  {
    title: "charged beyond the limit under an And, it saturates",
    rule: "2/20s gcra and user:100/s gcra",
    steps: [
      { at: T, facts: { user: "a" }, times: 50, expect: { allowed: true } },
      { at: T, facts: { user: null }, expect: { allowed: true } },
      { at: T, facts: { user: "a" }, cost: 60, expect: { allowed: false, retryAfterMs: 100 } },
    ],
  },
  {
    title: "nothing per second refuses everything",
    rule: "0/s gcra",
    steps: [
      {
        at: T,
        expect: { allowed: false, remaining: 0, retryAfterMs: Number.POSITIVE_INFINITY, resetAfterMs: 0 },
      },
    ],
  },
  {
    title: "refusals counted: hammering keeps out, a pause lets in",
    rule: "2/2s gcra",
    countRefused: true,
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + 500, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 1_000, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 1_999, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 2_999, expect: { allowed: true, remaining: 0 } },
    ],
  },
];
