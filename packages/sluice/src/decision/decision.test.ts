import { expect, test } from "vitest";
import type { Verdict } from "../algorithm/algorithm.js";
import { createSluice } from "../limiter/sluice.js";
import type { PlanVerdict, Store } from "../store/store.js";

const FITS: Verdict = { allowed: true, remaining: 4, retryAfterMs: 0, resetAfterMs: 60_000 };
const OVER: Verdict = { allowed: false, remaining: 0, retryAfterMs: 900, resetAfterMs: 60_000 };

/** A store that somebody has written, and that always answers the same. */
function answering(verdict: Omit<PlanVerdict, "source">): Store {
  const answer: PlanVerdict = { ...verdict, source: "store" };
  return { decide: () => answer, peek: () => answer, refund() {}, reset() {}, close() {} };
}

test.each([
  ["admits", { allowed: true, verdicts: [FITS] }, { allowed: true, retryAfterMs: 0, refusedBy: 0 }],
  ["refuses", { allowed: false, verdicts: [OVER] }, { allowed: false, retryAfterMs: 900, refusedBy: 1 }],
  [
    "admits what is over",
    { allowed: true, verdicts: [OVER] },
    { allowed: true, retryAfterMs: 0, refusedBy: 0 },
  ],
  [
    "refuses what fits",
    { allowed: false, verdicts: [FITS] },
    { allowed: false, retryAfterMs: 1, refusedBy: 0 },
  ],
])("a store that %s is believed", async (_, verdict, { refusedBy, ...expected }) => {
  const limiter = createSluice({ store: answering(verdict) }).limit("5/m");
  for (const decision of [await limiter.consume(), await limiter.peek()]) {
    expect(decision).toMatchObject(expected);
    expect(decision.refusedBy).toHaveLength(refusedBy);
  }
});
