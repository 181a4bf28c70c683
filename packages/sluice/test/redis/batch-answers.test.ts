/** Of what travels in one message every caller gets his own answer, as if all had been asked one after the other. */
import { expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { Decision } from "../../src/decision/decision.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import type { Store } from "../../src/store/store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { seededRandom } from "../../src/testing/random.js";
import { randomCall, randomRule, randomStep } from "../../src/testing/random-plans.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "./connections.js";

const START = 1_700_000_000_000_000;
const MOST_KEPT = 100;
const { open } = connections();

test.each([1, 2, 3, 4])(
  "60 turns of many random questions are answered as by the memory store (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const clock = manualClock(START);
    const redis = storeOn(await open("single", inject("servers")), { clock });
    const rules = Array.from({ length: 12 }, () => ({
      text: randomRule(random),
      countRefused: random.chance(0.2),
    }));
    const [asked, expected] = [redis, memoryStore({ clock })].map((store) => {
      const sluice = createSluice({ namespace: freshNamespace(), store });
      return rules.map(({ text, countRefused }) => sluice.limit(text, { countRefused }));
    });
    const charged: [Decision[], Decision[]] = [[], []];
    for (let turn = 1; turn <= 60; turn += 1) {
      clock.set(Math.max(0, clock() + randomStep(random)));
      const calls = Array.from({ length: random.integer(1, 120) }, () => ({
        rule: random.integer(0, rules.length - 1),
        ...randomCall(random),
      }));
      const before = redis.health().batches;
      /** What is given back was charged in a turn before. */
      const given = calls.map(() => random.integer(0, Math.max(0, charged[0].length - 1)));
      const ask = (limiters: typeof asked, from: readonly Decision[]) =>
        Promise.all(
          calls.map(({ rule, call, facts, cost }, index) =>
            call === "refund"
              ? giveBack(limiters![rule]!, from[given[index]!], cost)
              : limiters![rule]![call](facts, { cost }),
          ),
        );
      const [answers, inMemory] = [await ask(asked, charged[0]), await ask(expected, charged[1])];
      for (const [index, { rule, call }] of calls.entries()) {
        const [one, other] = [answers[index], inMemory[index]];
        expect(one, `turn ${turn}: ${call} of ${rules[rule]!.text}`).toEqual(other);
        if (call !== "consume" || !one?.allowed) continue;
        charged[0].push(one);
        charged[1].push(other as Decision);
      }
      for (const decisions of charged) decisions.splice(0, Math.max(0, decisions.length - MOST_KEPT));
      expect(redis.health().batches - before).toBeLessThanOrEqual(1);
    }
  },
);

async function giveBack(limiter: Limiter, charged: Decision | undefined, cost: number): Promise<undefined> {
  if (charged !== undefined) await limiter.refund(charged, { cost });
}

test.each(ALGORITHM_NAMES)(
  "%s: after a refund of all, in the same message, the limit is unused",
  async (name) => {
    const clock = manualClock(START);
    const answersOf = async (store: Store) => {
      const limiter = createSluice({ namespace: freshNamespace(), store }).limit(`5/10s ${name}`);
      clock.set(START);
      const charged = await limiter.consume({}, { cost: 3 });
      // A small step back, which a limit in use waits out and an unused one does not notice.
      clock.set(START - 400_000);
      return Promise.all([limiter.refund(charged), limiter.consume({}), limiter.peek()]);
    };
    const asked = await answersOf(storeOn(await open("single", inject("servers")), { clock }));
    expect(asked).toEqual(await answersOf(memoryStore({ clock })));
  },
);
