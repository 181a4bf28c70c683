/** What somebody new is answered, in every way to ask, by the store and by each policy in its place. */
import { expect } from "vitest";
import { type Call, DEADLINE_MS } from "./load.js";

/** A deadline is noticed by a timer that ticks so often, and whose ticks may be late. */
const TICKS_MS = 50;

const some = expect.any(Number);
const http = (fields: object) => expect.objectContaining(fields);
const unavailable = expect.objectContaining({ message: expect.stringMatching(/^UNAVAILABLE /) });

export const ANSWERS = {
  store: {
    RATELIMIT: [1, 4, 0, 1_000_000_000],
    "SLUICE.CONSUME": [1, 4, 0, some, []],
    http: http({ status: 200, remaining: 4, source: "store" }),
  },
  local: {
    RATELIMIT: [1, 4, 0, 1_000_000_000],
    "SLUICE.CONSUME": [1, 4, 0, some, []],
    http: http({ status: 200, remaining: 4, source: "fallback", policy: "local" }),
  },
  allow: {
    RATELIMIT: [1, 5, 0, 0],
    "SLUICE.CONSUME": [1, 5, 0, 0, []],
    http: http({ status: 200, allowed: true, remaining: 5, policy: "allow" }),
  },
  deny: {
    RATELIMIT: [0, 0, 1_000_000_000, 5_000_000_000],
    "SLUICE.CONSUME": [0, 0, some, some, ["user:5/h"]],
    http: http({ status: 200, allowed: false, remaining: 0, policy: "deny" }),
  },
  throw: {
    RATELIMIT: unavailable,
    "SLUICE.CONSUME": unavailable,
    http: http({ status: 503, code: "SLUICE_STORE_UNAVAILABLE" }),
  },
};

/** Each by the policy, and in time. */
export function expectAnswers(calls: readonly Call[], by: keyof typeof ANSWERS): void {
  for (const { way, answer } of calls) expect(answer).toEqual(ANSWERS[by][way]);
  // A call comes in, its deadline is noticed, and its answer goes out: each of them late by the lag at most.
  for (const { tookMs, lagMs } of calls)
    expect(tookMs).toBeLessThanOrEqual(DEADLINE_MS + TICKS_MS + 3 * lagMs);
}
