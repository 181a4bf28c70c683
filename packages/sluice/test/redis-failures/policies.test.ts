/** What answers in the store's place, and when: as the store says, or else as the limit does. */
import { describe, expect, test } from "vitest";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import type { FailurePolicy, OnFailure } from "../../src/plan/failure-policy.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { worstDelayMs } from "./calls.js";
import { KILLED, STOPPED } from "./faults.js";
import { expectNoStrays } from "./strays.js";
import { startSubject } from "./subject.js";

expectNoStrays();

/** What three calls and a look are answered under a limit of 2. */
const ANSWERS: Readonly<Record<OnFailure, readonly string[]>> = {
  local: ["allowed, 1 left", "allowed, 0 left", "refused, 0 left", "refused, 0 left"],
  allow: ["allowed, 2 left", "allowed, 2 left", "allowed, 2 left", "allowed, 2 left"],
  deny: ["refused, 0 left", "refused, 0 left", "refused, 0 left", "refused, 0 left"],
  throw: ["StoreUnavailable", "StoreUnavailable", "StoreUnavailable", "StoreUnavailable"],
};

const CHOICES: readonly { store?: OnFailure; limit?: OnFailure; policy: OnFailure }[] = [
  { policy: "local" },
  { store: "local", policy: "local" },
  { store: "allow", policy: "allow" },
  { store: "deny", policy: "deny" },
  { store: "throw", policy: "throw" },
  { store: "throw", limit: "local", policy: "local" },
  { store: "deny", limit: "allow", policy: "allow" },
  { store: "allow", limit: "deny", policy: "deny" },
  { limit: "throw", policy: "throw" },
];

describe.concurrent.each([KILLED, STOPPED])("$name", (fault) => {
  test.for(CHOICES)("store $store, limit $limit", async ({ store: onFailure, limit, policy }, context) => {
    const subject = await startSubject(context, CLIENTS[0]!, { store: { onFailure } });
    const limiter = createSluice({ store: subject.store }).limit("user:2/w", { onFailure: limit });
    await limiter.consume({ user: "1" });
    await fault.begin(subject);
    const answers: string[] = [];
    for (const kind of ["consume", "consume", "consume", "peek"] as const) {
      answers.push(await answerOf(limiter, kind));
    }
    expect(answers).toEqual(ANSWERS[policy]);
    const refunded = limiter.refund({ user: "1" });
    await (policy === "throw" ? expect(refunded).rejects.toThrow(StoreUnavailable) : refunded);
    if (policy === "local") expect(await answerOf(limiter, "peek")).toBe("allowed, 1 left");
    await expect(limiter.reset({ user: "1" })).rejects.toThrow(StoreUnavailable);
  });
});

async function answerOf(limiter: Limiter, kind: "consume" | "peek"): Promise<string> {
  try {
    const { source, allowed, remaining, retryAfterMs } = await limiter[kind]({ user: "1" });
    expect(source).toBe("fallback");
    expect(retryAfterMs > 0).toBe(!allowed);
    return `${allowed ? "allowed" : "refused"}, ${remaining} left`;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnavailable);
    return "StoreUnavailable";
  }
}

const DEADLINES: readonly { store?: number; limit?: number; deadlineMs: number }[] = [
  { deadlineMs: 250 },
  { store: 100, deadlineMs: 100 },
  { limit: 100, deadlineMs: 100 },
  { store: 100, limit: 400, deadlineMs: 400 },
];

test.concurrent.for(DEADLINES)(
  "waits $deadlineMs ms where the store says $store and the limit $limit",
  async ({ store, limit, deadlineMs }, context) => {
    const subject = await startSubject(context, CLIENTS[0]!, { store: { deadlineMs: store } });
    const options: FailurePolicy = { deadlineMs: limit };
    const limiter = createSluice({ store: subject.store }).limit("user:2/w", options);
    await limiter.consume({ user: "1" });
    subject.server.pause();
    const start = performance.now();
    const delayMs = await worstDelayMs(deadlineMs, [() => limiter.consume({ user: "1" })]);
    expect(performance.now() - start).toBeGreaterThan(deadlineMs - 2);
    expect(delayMs).toBeLessThanOrEqual(50);
  },
);
