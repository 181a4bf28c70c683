/** The sliding log on exact timelines. */
import type { Scenario } from "../scenario.js";

const T = 1_592_171_100_000;
const HOUR = 3_600_000;

export const slidingLogScenarios: readonly Scenario[] = [
  {
    title: "five each in two seconds, for two users and a third",
    rule: "user:5/2s",
    steps: [
      { at: T, facts: { user: "ada" }, times: 5, expect: { allowed: true } },
      { at: T, facts: { user: "bob" }, times: 5, expect: { allowed: true } },
      { at: T, facts: { user: "ada" }, expect: { allowed: false, retryAfterMs: 2_000 } },
      { at: T, facts: { user: "bob" }, expect: { allowed: false, retryAfterMs: 2_000 } },
      { at: T, facts: { user: "cyn" }, expect: { allowed: true, remaining: 4 } },
      { at: T + 2_000, facts: { user: "ada" }, times: 5, expect: { allowed: true } },
      { at: T + 2_000, facts: { user: "bob" }, times: 5, expect: { allowed: true } },
    ],
  },
  {
    title: "a unit exactly one span old no longer counts",
    rule: "1/s",
    steps: [
      { at: T, expect: { allowed: true, remaining: 0, resetAfterMs: 1_000 } },
      { at: T + 999.999, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T + 1_000, expect: { allowed: true } },
    ],
  },
  {
    title: "never more than the limit in any window, also across a boundary",
    rule: "2/s",
    steps: [
      { at: T + 900, expect: { allowed: true, remaining: 1 } },
      { at: T + 1_100, expect: { allowed: true, remaining: 0, resetAfterMs: 1_000 } },
      { at: T + 1_800, expect: { allowed: false, retryAfterMs: 100, resetAfterMs: 300 } },
      { at: T + 1_900, expect: { allowed: true, remaining: 0 } },
      { at: T + 1_900, expect: { allowed: false, retryAfterMs: 200, resetAfterMs: 1_000 } },
    ],
  },
  {
    title: "costs above one wait for as many units, and one can never fit",
    rule: "5/10s",
    steps: [
      { at: T, cost: 2, expect: { allowed: true, remaining: 3 } },
      { at: T + 1_000, cost: 2, expect: { allowed: true, remaining: 1 } },
      { at: T + 2_000, expect: { allowed: true, remaining: 0 } },
      { at: T + 3_000, cost: 2, expect: { allowed: false, retryAfterMs: 7_000 } },
      { at: T + 3_000, cost: 3, expect: { allowed: false, retryAfterMs: 8_000 } },
      { at: T + 3_000, cost: 5, expect: { allowed: false, retryAfterMs: 9_000, resetAfterMs: 9_000 } },
      { at: T + 3_000, cost: 6, expect: { allowed: false, retryAfterMs: Number.POSITIVE_INFINITY } },
    ],
  },
  {
    title: "the ring goes round many times",
    rule: "3/s",
    steps: [
      { at: T, times: 3, expect: { allowed: true } },
      { at: T + 1_000, times: 2, expect: { allowed: true } },
      { at: T + 1_500, expect: { allowed: true, remaining: 0 } },
      { at: T + 2_000, times: 2, expect: { allowed: true } },
      { at: T + 2_000, expect: { allowed: false, retryAfterMs: 500 } },
      { at: T + 2_500, expect: { allowed: true, remaining: 0 } },
      { at: T + 3_600, cost: 3, expect: { allowed: true, remaining: 0 } },
    ],
  },
  {
    title: "a long idle time",
    rule: "2/s",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + 365 * 24 * HOUR, expect: { allowed: true, remaining: 1, resetAfterMs: 1_000 } },
    ],
  },
  {
    title: "an hour back: distances are kept, the waits are as without the step",
    rule: "2/h",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T + HOUR / 2, expect: { allowed: true, remaining: 0 } },
      { at: T - HOUR, expect: { allowed: false, retryAfterMs: HOUR / 2, resetAfterMs: HOUR } },
      { at: T - HOUR / 2 - 1, expect: { allowed: false, retryAfterMs: 1 } },
      { at: T - HOUR / 2, expect: { allowed: true, remaining: 0, resetAfterMs: HOUR } },
      { at: T - HOUR / 2, expect: { allowed: false, retryAfterMs: HOUR / 2 } },
    ],
  },
  {
    title: "half a second back is waited out",
    rule: "2/s",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T - 500, expect: { allowed: false, retryAfterMs: 1_500, resetAfterMs: 1_500 } },
      { at: T + 1_000, expect: { allowed: true } },
    ],
  },
  {
    title: "exactly a second back is waited out, a microsecond more is healed",
    rule: "1/10s",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T - 1_000, call: "peek", expect: { allowed: false, retryAfterMs: 11_000 } },
      { at: T - 1_000.001, call: "peek", expect: { allowed: false, retryAfterMs: 10_000 } },
      { at: T - 1_000.001 + 10_000, expect: { allowed: true } },
    ],
  },
  {
    title: "a jump forward is idle time",
    rule: "2/s",
    steps: [
      { at: T, times: 2, expect: { allowed: true } },
      { at: T + HOUR, times: 2, expect: { allowed: true } },
    ],
  },
  {
    title: "a refund drops the newest units",
    rule: "3/10s",
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T + 1_000, cost: 2, expect: { allowed: true, remaining: 0, resetAfterMs: 10_000 } },
      { at: T + 2_000, call: "refund", cost: 2 },
      { at: T + 2_000, call: "peek", expect: { remaining: 2, resetAfterMs: 8_000 } },
      { at: T + 2_000, call: "refund", cost: 5 },
      { at: T + 2_000, call: "peek", expect: { remaining: 3, resetAfterMs: 0 } },
    ],
  },
  {
    title: "charged beyond the limit under an And, the oldest units make room",
    rule: "2/10s and user:3/10s",
    steps: [
      { at: T, facts: { user: "a" }, times: 2, expect: { allowed: true } },
      { at: T + 5_000, facts: { user: "a" }, expect: { allowed: true } },
      { at: T + 5_000, facts: { user: "a" }, expect: { allowed: false, retryAfterMs: 5_000 } },
      { at: T + 10_000, facts: { user: "a" }, times: 2, expect: { allowed: true } },
    ],
  },
  {
    title: "refusals counted: hammering keeps out, a pause lets in",
    rule: "1/s",
    countRefused: true,
    steps: [
      { at: T, expect: { allowed: true } },
      { at: T + 600, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 1_200, expect: { allowed: false, retryAfterMs: 1_000 } },
      { at: T + 2_200, expect: { allowed: true } },
    ],
  },
  {
    title: "nothing per second refuses everything",
    rule: "0/s",
    steps: [
      {
        at: T,
        expect: { allowed: false, remaining: 0, retryAfterMs: Number.POSITIVE_INFINITY, resetAfterMs: 0 },
      },
    ],
  },
  {
    title: "until the first limit of an And is over, nothing is refused",
    rule: "apikey:5/h and (2/s or 3/m)",
    steps: [
      { at: T, facts: { apikey: "k" }, times: 5, expect: { allowed: true } },
      { at: T, facts: { apikey: "k" }, expect: { allowed: false, retryAfterMs: 60_000 } },
      { at: T + 60_000, facts: { apikey: "k" }, times: 2, expect: { allowed: true } },
      { at: T + 60_000, facts: { apikey: "k" }, expect: { allowed: false, retryAfterMs: 1_000 } },
    ],
  },
];
