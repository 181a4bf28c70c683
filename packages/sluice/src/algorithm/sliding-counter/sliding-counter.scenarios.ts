/** The sliding counter on exact timelines. */
import type { Scenario } from "../scenario.js";

/** The start of a minute. */
const T = 1_592_171_100_000;
const HOUR = 3_600_000;

export const slidingCounterScenarios: readonly Scenario[] = [
  {
    title: "the previous window fades",
    rule: "10/m sliding-counter",
    steps: [
      { at: T + 59_999, times: 10, expect: { allowed: true } },
      { at: T + 59_999, expect: { allowed: false, retryAfterMs: 6_001, resetAfterMs: 60_001 } },
      { at: T + 60_000, expect: { allowed: false, remaining: 0, retryAfterMs: 6_000, resetAfterMs: 60_000 } },
      { at: T + 65_999.999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 66_000, expect: { allowed: true, remaining: 0, resetAfterMs: 114_000 } },
      { at: T + 72_000, expect: { allowed: true, remaining: 0 } },
      { at: T + 90_000, call: "peek", expect: { allowed: true, remaining: 3 } },
      { at: T + 120_000, call: "peek", expect: { allowed: true, remaining: 8 } },
      { at: T + 180_000, call: "peek", expect: { allowed: true, remaining: 10, resetAfterMs: 0 } },
    ],
  },
  {
    title: "no double burst around a boundary",
    rule: "10/m sliding-counter",
    steps: [
      { at: T + 59_999, times: 10, expect: { allowed: true } },
      { at: T + 60_000, expect: { allowed: false } },
    ],
  },
  {
    title: "costs above one, and one that can never fit",
    rule: "10/m sliding-counter",
    steps: [
      { at: T, cost: 6, expect: { allowed: true, remaining: 4, resetAfterMs: 120_000 } },
      { at: T + 1_000, cost: 5, expect: { allowed: false, remaining: 4, retryAfterMs: 69_000 } },
      { at: T + 69_999, cost: 5, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 70_000, cost: 5, expect: { allowed: true, remaining: 0 } },
      { at: T + 70_000, cost: 11, expect: { allowed: false, retryAfterMs: Number.POSITIVE_INFINITY } },
    ],
  },
  {
    title: "a cost of the whole limit waits until nothing is left",
    rule: "10/m sliding-counter",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T, cost: 10, expect: { allowed: false, retryAfterMs: 120_000 } },
      { at: T + 119_999, cost: 10, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 120_000, cost: 10, expect: { allowed: true } },
    ],
  },
  {
    title: "a long idle time",
    rule: "2/m sliding-counter",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, expect: { allowed: true, remaining: 1 } },
    ],
  },
  {
    title: "an hour back: the counts are taken as of now",
    rule: "10/m sliding-counter",
    steps: [
      { at: T, times: 10, expect: { allowed: true } },
      { at: T - HOUR, expect: { allowed: false, retryAfterMs: 66_000, resetAfterMs: 120_000 } },
      { at: T - HOUR + 65_999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T - HOUR + 66_000, expect: { allowed: true } },
    ],
  },
  {
    title: "four seconds back over a boundary: nothing is forgiven",
    rule: "12/h sliding-counter",
    steps: [
      { at: HOUR - 10_000, cost: 10, expect: { allowed: true } },
      { at: HOUR + 1_000, expect: { allowed: true, remaining: 1 } },
      { at: HOUR - 3_000, call: "peek", expect: { remaining: 1 } },
    ],
  },
  {
    title: "half a second back over a boundary is waited out",
    rule: "10/m sliding-counter",
    steps: [
      { at: T, times: 10, expect: { allowed: true } },
      { at: T - 500, expect: { allowed: false, retryAfterMs: 66_500, resetAfterMs: 120_500 } },
      { at: T + 66_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a jump forward is idle time",
    rule: "2/m sliding-counter",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + HOUR, times: 2, expect: { allowed: true } },
    ],
  },
  {
    title: "a refund takes from the current window, then from the previous one",
    rule: "10/m sliding-counter",
    steps: [
      { at: T, cost: 6, expect: { remaining: 4 } },
      { at: T + 60_000, cost: 4, expect: { remaining: 0 } },
      { at: T + 60_000, call: "refund", cost: 5 },
      { at: T + 60_000, call: "peek", expect: { remaining: 5, resetAfterMs: 60_000 } },
      { at: T + 60_000, call: "refund", cost: 9 },
      { at: T + 60_000, call: "peek", expect: { remaining: 10, resetAfterMs: 0 } },
    ],
  },
  {
    title: "charged beyond the limit under an And, it saturates",
    rule: "2/m sliding-counter and user:100/m sliding-counter",
    steps: [
      { at: T, facts: { user: "a" }, times: 50, expect: { allowed: true } },
      { at: T, facts: { user: "a" }, cost: 60, expect: { allowed: false, retryAfterMs: 72_000 } },
    ],
  },
  {
    title: "nothing per minute refuses everything",
    rule: "0/m sliding-counter",
    steps: [
      {
        at: T,
        expect: { allowed: false, remaining: 0, retryAfterMs: Number.POSITIVE_INFINITY, resetAfterMs: 0 },
      },
    ],
  },
];
