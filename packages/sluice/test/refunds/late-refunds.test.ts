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

describe.each(STORES_OF_ALL_KINDS)(
  "what can no longer be told apart is not given back, on $name",
  ({ create }) => {
    async function sluiceAt() {
      const clock = manualClock(START);
      return { clock, sluice: createSluice({ namespace: freshNamespace(), store: await create({ clock }) }) };
    }

    test.each(ALGORITHM_NAMES)("%s: after a charge beyond the limit has displaced it", async (name) => {
      const { sluice } = await sluiceAt();
      const limiter = sluice.limit(`ip:${LIMIT}/s ${name} and user:${LIMIT}/s ${name}`);
      const first = await limiter.consume({ ip: "x", user: "1" }, { cost: LIMIT });
      expect((await limiter.consume({ ip: "x", user: "2" }, { cost: LIMIT })).allowed).toBe(true);
      await limiter.refund(first);
      expect((await limiter.consume({ ip: "x", user: "2" })).allowed).toBe(false);
    });

    test.each(ALGORITHM_NAMES)("%s: after a reset, at the same instant too", async (name) => {
      const { sluice } = await sluiceAt();
      const limiter = sluice.limit(`u:${LIMIT}/s ${name}`);
      const first = await limiter.consume({ u: "ada" }, { cost: LIMIT });
      await limiter.reset({ u: "ada" });
      expect(await admittedOf(limiter, LIMIT)).toBe(LIMIT);
      await limiter.refund(first);
      expect(await admittedOf(limiter, 1)).toBe(0);
    });

    test.each(ALGORITHM_NAMES)(
      "%s: after its state was forgotten and the clock stepped back",
      async (name) => {
        const { clock, sluice } = await sluiceAt();
        const limiter = sluice.limit(`u:${LIMIT}/s ${name}`);
        const first = await limiter.consume({ u: "ada" }, { cost: LIMIT - 1 });
        const last = await limiter.consume({ u: "ada" });
        clock.advance(900);
        await limiter.refund(last);
        await limiter.reset({ u: "ada" });
        clock.advance(-900);
        expect(await admittedOf(limiter, LIMIT)).toBe(LIMIT);
        await limiter.refund(first);
        expect(await admittedOf(limiter, 1)).toBe(0);
      },
    );

    test.each(ALGORITHM_NAMES)("%s: what was charged after a step back is", async (name) => {
      const { clock, sluice } = await sluiceAt();
      const limiter = sluice.limit(`u:${LIMIT}/d ${name}`);
      const before = await limiter.consume({ u: "ada" }, { cost: 4 });
      clock.advance(-3_600_000);
      const after = await limiter.consume({ u: "ada" }, { cost: 4 });
      await limiter.refund(before);
      expect((await limiter.peek({ u: "ada" })).remaining).toBe(LIMIT - 8);
      await limiter.refund(after);
      expect((await limiter.peek({ u: "ada" })).remaining).toBe(LIMIT - 4);
    });

    test("gcra: marks that begin anew, and prices that are rounded", async () => {
      const { clock, sluice } = await sluiceAt();
      const large = sluice.limit("u:60013/d gcra");
      const one = await large.consume({ u: "ada" }, { cost: 50_000 });
      const other = await large.consume({ u: "ada" }, { cost: 10_000 });
      await large.refund(one);
      await large.consume({ u: "ada" });
      clock.advance(14_040_000);
      const { remaining } = await large.peek({ u: "ada" });
      const room = await large.consume({ u: "ada" }, { cost: remaining });
      expect(room.allowed).toBe(true);
      await large.refund(other);
      expect((await large.peek({ u: "ada" })).remaining).toBeLessThanOrEqual(10_000);

      const rounded = sluice.limit("u:123457/d gcra");
      const charged = await rounded.consume({ u: "ada" }, { cost: 100 });
      clock.advance(2_000);
      await rounded.consume({ u: "ada" });
      const before = (await rounded.peek({ u: "ada" })).remaining;
      await rounded.refund(charged);
      expect((await rounded.peek({ u: "ada" })).remaining).toBeGreaterThanOrEqual(before + 97);
    });
  },
);

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
