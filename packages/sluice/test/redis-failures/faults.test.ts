/** Every fault on a real server: each call is answered in time by the policy, and the store's return is noticed. */
import { beforeAll, describe, expect, test } from "vitest";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { DEADLINE_MS, longestMs, TOLERANCE_MS } from "./calls.js";
import { KILLED, OTHER_FAULTS, STOPPED } from "./faults.js";
import { goThrough, LIMIT, type Outcome } from "./outage.js";
import { expectNoStrays } from "./strays.js";

expectNoStrays();

const RECOVERY_MS = 2_000;
/** What a breaker lets through in an outage of this length. */
const MOST_BATCHES = 10;
/** What may follow upon any fault, the latter on a busy machine. */
const ANY_TIME = ["resting", "deadline"];

/** One of each library. */
const LIBRARIES = CLIENTS.filter(({ name }) => ["ioredis 5", "node-redis 5", "valkey-glide"].includes(name));

const CASES = [
  ...[KILLED, STOPPED].map((fault) => ({ fault, kinds: CLIENTS })),
  ...OTHER_FAULTS.map((fault) => ({ fault, kinds: LIBRARIES })),
];

describe.each(CASES)("$fault.name", ({ fault, kinds }) => {
  let outcomes: ReadonlyMap<string, Outcome>;
  beforeAll(async () => {
    outcomes = await goThrough(fault, kinds);
  });

  describe.each(kinds.map(({ name }) => name))("%s", (name) => {
    let outcome: Outcome;
    beforeAll(() => {
      outcome = outcomes.get(name)!;
    });

    test("every call is answered in time", () => {
      expect(outcome.calls.length).toBeGreaterThanOrEqual(200);
      expect(longestMs(outcome.calls)).toBeLessThanOrEqual(DEADLINE_MS + TOLERANCE_MS);
    });

    test("the answer is the policy's", () => {
      const { calls } = outcome;
      const consumed = calls.filter(({ kind }) => kind === "consume");
      const peeked = calls.filter(({ kind }) => kind === "peek");
      expect(calls.filter(({ error }) => error !== undefined)).toEqual([]);
      expect(new Set(consumed.map(({ decision }) => decision?.source))).toEqual(new Set(["fallback"]));
      expect(consumed.filter(({ decision }) => decision?.allowed)).toHaveLength(LIMIT);
      if (fault.partly) return;
      expect(new Set(peeked.map(({ decision }) => decision?.source))).toEqual(new Set(["fallback"]));
    });

    test("every failure is told and counted", () => {
      const { errors, told, health } = outcome;
      expect(errors.every((error) => error instanceof StoreUnavailable)).toBe(true);
      expect(health.during.failures).toMatchObject(told);
      expect(fault.reasons.filter((reason) => told[reason]! > 0)).not.toEqual([]);
      expect([...fault.reasons, ...ANY_TIME]).toEqual(expect.arrayContaining(Object.keys(told)));
    });

    test("nobody is left waiting, and Redis is hardly asked", () => {
      const { before, during } = outcome.health;
      expect(during.waiting).toBe(0);
      if (!fault.partly) expect(during.batches - before.batches).toBeLessThanOrEqual(MOST_BATCHES);
    });

    test("the store answers again soon after Redis's return", () => {
      expect(outcome.recoveryMs).toBeLessThanOrEqual(RECOVERY_MS);
      expect(outcome.health.after).toMatchObject({ breaker: "closed", waiting: 0 });
    });
  });
});
