/** AR(1) on exact timelines. */
import type { Scenario } from "../scenario.js";

/** The start of a minute. */
const T = 1_592_171_100_000;
const HOUR = 3_600_000;

export const ar1Scenarios: readonly Scenario[] = [
  {
    title: "half is forgotten at each slot",
    rule: "8/2s:1s ar1",
    steps: [
      { at: T, cost: 8, expect: { allowed: true, remaining: 0 } },
      { at: T, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 999.999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 1_000, call: "peek", expect: { allowed: true, remaining: 4 } },
      { at: T + 2_000, call: "peek", expect: { remaining: 6 } },
      { at: T + 2_000, cost: 6, expect: { allowed: true, remaining: 0 } },
      { at: T + 2_000, cost: 7, expect: { allowed: false, retryAfterMs: 3_000 } },
    ],
  },
  {
    title: "below a millionth nothing is left",
    rule: "1/2s:1s ar1",
    steps: [
      { at: T, expect: { allowed: true, remaining: 0, resetAfterMs: 20_000 } },
      { at: T + 19_000, expect: { allowed: false, remaining: 0, retryAfterMs: 1_000, resetAfterMs: 1_000 } },
      { at: T + 20_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a slot as long as the span forgets all at its end",
    rule: "3/s:1s ar1",
    steps: [
      { at: T + 400, times: 3, expect: { allowed: true } },
      { at: T + 400, expect: { allowed: false, retryAfterMs: 600, resetAfterMs: 600 } },
      { at: T + 1_000, times: 3, expect: { allowed: true } },
    ],
  },
  {
    title: "a burst from rest, then the rate of the rule",
    rule: "60/m:1s ar1",
    steps: [
      { at: T, cost: 60, expect: { allowed: true, remaining: 0 } },
      { at: T, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 1_000, expect: { allowed: true, remaining: 0 } },
      { at: T + 1_000, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 2_000, expect: { allowed: true, remaining: 0 } },
    ],
  },
  {
    title: "a cost that can never fit",
    rule: "10/m ar1",
    steps: [
      { at: T, cost: 11, expect: { allowed: false, remaining: 10, retryAfterMs: Number.POSITIVE_INFINITY } },
    ],
  },
  {
    title: "a long idle time",
    rule: "2/m ar1",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, expect: { allowed: true, remaining: 1 } },
    ],
  },
  {
    title: "an hour back: the value is taken as of now",
    rule: "8/2s:1s ar1",
    steps: [
      { at: T, cost: 8, expect: { allowed: true } },
      { at: T - HOUR, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T - HOUR + 1_000, call: "peek", expect: { allowed: true, remaining: 4 } },
    ],
  },
  {
    title: "four seconds back over a boundary: nothing is forgiven",
    rule: "10/h:20m ar1",
    steps: [
      { at: HOUR + 1_000, cost: 10, expect: { allowed: true } },
      { at: HOUR - 3_000, expect: { allowed: false, retryAfterMs: 1_199_000 } },
    ],
  },
  {
    title: "half a second back over a boundary is waited out",
    rule: "8/2s:1s ar1",
    steps: [
      { at: T, cost: 8, expect: { allowed: true } },
      { at: T - 500, expect: { allowed: false, retryAfterMs: 1_500 } },
      { at: T + 1_000, call: "peek", expect: { remaining: 4 } },
    ],
  },
  {
    title: "a jump forward is idle time",
    rule: "8/2s:1s ar1",
    steps: [
      { at: T, cost: 8, expect: { allowed: true } },
      { at: T + HOUR, cost: 8, expect: { allowed: true, remaining: 0 } },
    ],
  },
  {
    title: "a refund is never better than unused",
    rule: "8/2s:1s ar1",
    steps: [
      { at: T, cost: 5, expect: { remaining: 3 } },
      { at: T, call: "refund", cost: 2 },
      { at: T, call: "peek", expect: { remaining: 5 } },
      { at: T, call: "refund", cost: 9 },
      { at: T, call: "peek", expect: { remaining: 8, resetAfterMs: 0 } },
    ],
  },
  {
    title: "charged beyond the limit under an And, it saturates",
    rule: "2/2s:1s ar1 and user:100/2s:1s ar1",
    steps: [
      { at: T, facts: { user: "a" }, times: 50, expect: { allowed: true } },
      { at: T, facts: { user: "a" }, cost: 60, expect: { allowed: false, retryAfterMs: 1_000 } },
    ],
  },
  {
    title: "nothing per second refuses everything",
    rule: "0/s ar1",
    steps: [
      {
        at: T,
        expect: { allowed: false, remaining: 0, retryAfterMs: Number.POSITIVE_INFINITY, resetAfterMs: 0 },
      },
    ],
  },
];
