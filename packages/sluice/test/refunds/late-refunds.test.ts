/** What is given back late frees no room that others have used; each case once let more through than its limit. */
import { describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { Decision } from "../../src/decision/decision.js";
import { createGate } from "../../src/http/gate/gate.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import type { Pass } from "../../src/limiter/pass.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { ANY_CLIENT } from "../redis/connections.js";
import { STOPPED } from "../redis-failures/faults.js";
import { startTrial } from "../redis-failures/trial.js";
import { STORES } from "../stores.js";

const START = 1_700_000_000_000_000;
const LIMIT = 10;
const STORES_OF_ALL_KINDS = STORES.filter(({ name }) => /^memory$|ioredis 5|three shards/.test(name));

async function admittedOf(limiter: Limiter, requests: number): Promise<number> {
  const decisions: Decision[] = [];
  for (let request = 0; request < requests; request += 1) decisions.push(await limiter.consume({ u: "ada" }));
  return decisions.filter(({ allowed }) => allowed).length;
}

describe.each(STORES_OF_ALL_KINDS)("on $name", ({ create }) => {
  describe.each(ALGORITHM_NAMES)("%s", (name) => {
    async function limiterAt() {
      const clock = manualClock(START);
      const store = await create({ clock });
      const sluice = createSluice({ namespace: freshNamespace(), store });
      return { clock, limiter: sluice.limit(`u:${LIMIT}/s ${name}`) };
    }

    test("passes of an earlier second give nothing back", async () => {
      const { clock, limiter } = await limiterAt();
      const passes: Pass[] = [];
      for (let pass = 0; pass < LIMIT; pass += 1) passes.push(await limiter.enter({ u: "ada" }));
      /** Until even an exponential memory has forgotten them. */
      clock.advance(60_000);
      expect(await admittedOf(limiter, LIMIT + 5)).toBe(LIMIT);
      for (const pass of passes) {
        await pass.refund();
        expect(await admittedOf(limiter, 1)).toBe(0);
      }
    });

    test("a pass of just now gives all of it back, once", async () => {
      const { limiter } = await limiterAt();
      const pass = await limiter.enter({ u: "ada" }, { cost: LIMIT });
      await pass.refund();
      await pass.refund();
      expect(await admittedOf(limiter, LIMIT + 5)).toBe(LIMIT);
    });

    test("by facts, only what this Sluice has charged is given back", async () => {
      const { clock, limiter } = await limiterAt();
      expect(await admittedOf(limiter, LIMIT)).toBe(LIMIT);
      clock.advance(60_000);
      expect(await admittedOf(limiter, 2)).toBe(2);
      await limiter.refund({ u: "ada" }, { cost: LIMIT });
      expect(await admittedOf(limiter, LIMIT + 5)).toBe(LIMIT);
    });

    test("a decision gives back part by part, and never more than it charged", async () => {
      const { limiter } = await limiterAt();
      const decision = await limiter.consume({ u: "ada" }, { cost: 4 });
      for (const cost of [1, 2, 9]) await limiter.refund(decision, { cost });
      expect((await limiter.peek({ u: "ada" })).remaining).toBe(LIMIT);
      expect(await admittedOf(limiter, LIMIT)).toBe(LIMIT);
      await limiter.refund(decision);
      expect(await admittedOf(limiter, 1)).toBe(0);
    });
  });
});

test("only failed logins count: right ones with slow bodies let no more wrong ones through", async () => {
  const clock = manualClock(START);
  const sluice = createSluice({ store: memoryStore({ clock }) });
  const gate = createGate<unknown, unknown>("ip:5/s", {
    sluice,
    facts: { ip: () => "192.0.2.1" },
    settle: ({ status }) => (status === 401 ? 1 : 0),
  });
  const request = { method: "POST", header: () => undefined, remoteAddress: "192.0.2.1" };
  const enter = async () => gate.enter({}, request as never);
  const right = [];
  for (let login = 0; login < 5; login += 1) right.push(await enter());
  clock.advance(1_000);
  let wrong = 0;
  for (let guess = 0; guess < 40; guess += 1) {
    const passage = await enter();
    if (!passage.pass) {
      const slow = right.pop();
      if (slow?.pass) await slow.settle?.({ status: 200, aborted: false, native: {} });
      continue;
    }
    wrong += 1;
    await passage.settle?.({ status: 401, aborted: false, native: {} });
  }
  expect(wrong).toBe(5);
});

test("what the fallback admitted is not given back to Redis", async () => {
  const trial = await startTrial();
  try {
    const { store } = await trial.connect(ANY_CLIENT);
    const limiter = createSluice({ store, namespace: freshNamespace() }).limit("u:10/h");
    expect(await admittedOf(limiter, LIMIT)).toBe(LIMIT);
    await STOPPED.begin(trial);
    const passes = [await limiter.enter({ u: "ada" }), await limiter.enter({ u: "ada" })];
    expect(passes.map(({ decision }) => decision.source)).toEqual(["fallback", "fallback"]);
    await STOPPED.end(trial);
    while ((await limiter.peek({ u: "ada" })).source !== "store");
    for (const pass of passes) await pass.refund();
    const { allowed, source } = await limiter.consume({ u: "ada" });
    expect({ allowed, source }).toEqual({ allowed: false, source: "store" });
  } finally {
    await trial.stop();
  }
});
