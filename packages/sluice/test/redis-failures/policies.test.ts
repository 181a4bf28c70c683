/** What answers in the store's place, and when: as the limit says, or else as the store does. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Decision } from "../../src/decision/decision.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import type { FailurePolicy, OnFailure } from "../../src/plan/failure-policy.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { callAll, longestMs, TOLERANCE_MS } from "./calls.js";
import { type Fault, KILLED, STOPPED } from "./faults.js";
import { expectNoStrays } from "./strays.js";
import { startTrial, type Trial } from "./trial.js";

expectNoStrays();

/** A limiter for each pair of policies, made and used before the fault begins. */
async function limitersIn(fault: Fault, choices: readonly (readonly [FailurePolicy, FailurePolicy])[]) {
  const trial = await startTrial();
  const limiters: Limiter[] = [];
  const charged: Decision[] = [];
  for (const [ofStore, ofLimit] of choices) {
    const { store } = await trial.connect(CLIENTS[0]!, ofStore);
    const limiter = createSluice({ store }).limit("user:2/w", ofLimit);
    charged.push(await limiter.consume({ user: `before-${charged.length}` }));
    limiters.push(limiter);
  }
  await fault.begin(trial);
  return { trial, limiters, charged };
}

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

describe.each([KILLED, STOPPED])("$name", (fault) => {
  let trial: Trial;
  let limiters: readonly Limiter[];
  let charged: readonly Decision[];
  beforeAll(async () => {
    const choices = CHOICES.map(({ store, limit }) => [{ onFailure: store }, { onFailure: limit }] as const);
    ({ trial, limiters, charged } = await limitersIn(fault, choices));
  });
  afterAll(() => trial.stop());

  test.concurrent.for(CHOICES)("store $store, limit $limit", async (choice) => {
    const limiter = limiters[CHOICES.indexOf(choice)]!;
    const answers: string[] = [];
    for (const kind of ["consume", "consume", "consume", "peek"] as const) {
      answers.push(await answerOf(limiter, kind, choice.policy));
    }
    expect(answers).toEqual(ANSWERS[choice.policy]);
    /** What Redis took stays charged; what the fallback took is given back to it. */
    const refunded = limiter.refund(charged[CHOICES.indexOf(choice)]);
    await (choice.policy === "throw" ? expect(refunded).rejects.toThrow(StoreUnavailable) : refunded);
    await limiter.refund({ user: "1" });
    if (choice.policy === "local") expect(await answerOf(limiter, "peek", "local")).toBe("allowed, 1 left");
    await expect(limiter.reset({ user: "1" })).rejects.toThrow(StoreUnavailable);
  });
});

async function answerOf(limiter: Limiter, kind: "consume" | "peek", expected: OnFailure): Promise<string> {
  try {
    const { source, policy, allowed, remaining, retryAfterMs } = await limiter[kind]({ user: "1" });
    expect(policy).toBe(expected);
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

describe("the deadline", () => {
  let trial: Trial;
  let limiters: readonly Limiter[];
  beforeAll(async () => {
    const choices = DEADLINES.map(
      ({ store, limit }) => [{ deadlineMs: store }, { deadlineMs: limit }] as const,
    );
    ({ trial, limiters } = await limitersIn(STOPPED, choices));
  });
  afterAll(() => trial.stop());

  test.for(DEADLINES)("is $deadlineMs ms: store $store, limit $limit", async (choice) => {
    const { deadlineMs } = choice;
    const limiter = limiters[DEADLINES.indexOf(choice)]!;
    const [call] = await callAll(deadlineMs, [() => limiter.consume({ user: "1" })]);
    expect(call!.tookMs).toBeGreaterThan(deadlineMs - 2);
    expect(longestMs([call!])).toBeLessThanOrEqual(deadlineMs + TOLERANCE_MS);
  });
});
