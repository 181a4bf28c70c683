/** The fixed window on exact timelines. */
import type { Scenario } from "../scenario.js";

/** The start of a minute. */
const T = 1_592_171_100_000;
const HOUR = 3_600_000;

export const fixedWindowScenarios: readonly Scenario[] = [
  {
    title: "aligned to the epoch, not to the first request",
    rule: "3/m fixed-window",
    steps: [
      { at: T + 50_000, expect: { allowed: true, remaining: 2, resetAfterMs: 10_000 } },
      { at: T + 50_000, times: 2, expect: { allowed: true } },
      { at: T + 50_001, expect: { allowed: false, remaining: 0, retryAfterMs: 9_999, resetAfterMs: 9_999 } },
      { at: T + 60_000, expect: { allowed: true, remaining: 2, resetAfterMs: 60_000 } },
    ],
  },
  {
    title: "the exact boundary, to the microsecond",
    rule: "1/m fixed-window",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T + 59_999.999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 60_000, expect: { allowed: true } },
    ],
  },
  {
    title: "twice the limit around a boundary, its known weakness",
    rule: "10/m fixed-window",
    steps: [
      { at: T + 59_999, times: 10, expect: { allowed: true } },
      { at: T + 60_000, times: 10, expect: { allowed: true } },
      { at: T + 60_000, expect: { allowed: false } },
    ],
  },
  {
    title: "costs above one, and one that can never fit",
    rule: "10/m fixed-window",
    steps: [
      { at: T, cost: 7, expect: { allowed: true, remaining: 3 } },
      { at: T, cost: 4, expect: { allowed: false, remaining: 3, retryAfterMs: 60_000 } },
      { at: T, cost: 3, expect: { allowed: true, remaining: 0 } },
      { at: T, cost: 11, expect: { allowed: false, retryAfterMs: Number.POSITIVE_INFINITY } },
    ],
  },
  {
    title: "a long idle time",
    rule: "2/m fixed-window",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, expect: { allowed: true, remaining: 1 } },
    ],
  },
  {
    title: "an hour back: the window ends when it would have ended, and nothing is forgiven",
    rule: "2/m fixed-window",
    steps: [
      { at: T + 30_000, times: 2, expect: { allowed: true } },
      { at: T - HOUR + 10_000, expect: { allowed: false, retryAfterMs: 30_000, resetAfterMs: 30_000 } },
      { at: T - HOUR + 39_999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T - HOUR + 40_000, expect: { allowed: true, remaining: 1, resetAfterMs: 20_000 } },
    ],
  },
  {
    title: "three seconds back over a boundary: nothing is forgiven",
    rule: "10/h fixed-window",
    steps: [
      { at: 1_000, times: 10, expect: { allowed: true } },
      { at: HOUR + 1_000, times: 10, expect: { allowed: true } },
      { at: HOUR - 3_000, expect: { allowed: false, retryAfterMs: 3_599_000 } },
      { at: HOUR, expect: { allowed: false, retryAfterMs: 3_596_000 } },
    ],
  },
  {
    title: "half a second back over a boundary is waited out",
    rule: "2/m fixed-window",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T - 500, expect: { allowed: false, retryAfterMs: 60_500 } },
      { at: T + 60_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a jump forward is idle time",
    rule: "2/m fixed-window",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + HOUR, expect: { allowed: true, remaining: 1 } },
    ],
  },
  {
    title: "a refund is never better than unused",
    rule: "5/m fixed-window",
    steps: [
      { at: T, cost: 3, expect: { remaining: 2 } },
      { at: T, call: "refund", cost: 2 },
      { at: T, call: "peek", expect: { remaining: 4 } },
      { at: T, call: "refund", cost: 9 },
      { at: T, call: "peek", expect: { remaining: 5, resetAfterMs: 0 } },
    ],
  },
  {
    title: "a refund does not reach into the window before",
    rule: "5/m fixed-window",
    steps: [
      { at: T, cost: 5, expect: { remaining: 0 } },
      { at: T + 60_000, cost: 2, expect: { remaining: 3 } },
      { at: T + 60_000, call: "refund", cost: 4 },
      { at: T + 60_000, call: "peek", expect: { remaining: 5 } },
    ],
  },
  {
    title: "charged beyond the limit under an And, it saturates",
    rule: "2/m fixed-window and user:100/m fixed-window",
    steps: [
      { at: T, facts: { user: "a" }, times: 50, expect: { allowed: true } },
      { at: T, facts: { user: "a" }, cost: 60, expect: { allowed: false, retryAfterMs: 60_000 } },
      { at: T + 60_000, facts: { user: "a" }, expect: { allowed: true, remaining: 99 } },
    ],
  },
  {
    title: "nothing per minute refuses everything",
    rule: "0/m fixed-window",
    steps: [
      {
        at: T,
        expect: { allowed: false, remaining: 0, retryAfterMs: Number.POSITIVE_INFINITY, resetAfterMs: 0 },
      },
    ],
  },
];
