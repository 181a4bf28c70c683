/** And and Or across slots of a Cluster charge what the memory store charges, also a limit that is over. */
import { describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice, type Sluice } from "../../src/limiter/sluice.js";
import type { Facts } from "../../src/plan/facts.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "./connections.js";

const { open } = connections();
const FACTS: Facts = { user: "ada", ip: "192.0.2.1", team: "blue" };

/** `user` is over after 2, `ip` after 5, `team` after 9. */
const LIMITS = ["user:2/h", "ip:5/h", "team:9/h"];
const TREES = [
  "A and B",
  "A or B",
  "A and B and C",
  "A or B or C",
  "A or (B and C)",
  "A and (B or C)",
  "(A or B) and C",
  "(A and B) or C",
];

/** The same rule and its limits one by one, in one namespace and so on the same counters. */
function limitersOf(sluice: Sluice, tree: string, name: string, countRefused: boolean) {
  const texts = LIMITS.map((limit) => `${limit} ${name}`);
  const rule = tree.replace(/[ABC]/g, (letter) => texts["ABC".indexOf(letter)]!);
  return {
    whole: sluice.limit(rule, { countRefused }),
    each: texts.map((text) => sluice.limit(text, { countRefused })),
  };
}

const left = (limiters: readonly Limiter[]) => Promise.all(limiters.map((limiter) => limiter.peek(FACTS)));

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test.each(TREES)("%s, one request after the other, decides and counts as in memory", async (tree) => {
    const clock = manualClock(1_700_000_000_000_000);
    const client = await open("cluster", inject("servers"));
    for (const countRefused of [false, true]) {
      const stores = [memoryStore({ clock }), storeOn(client, { clock })];
      const [memory, redis] = stores.map((store) =>
        limitersOf(createSluice({ namespace: freshNamespace(), store }), tree, name, countRefused),
      );
      for (let request = 1; request <= 16; request += 1) {
        clock.advance(request % 6 === 0 ? 600_000 : 7);
        const cost = request % 5 === 0 ? 2 : 1;
        const asked = await redis!.whole.consume(FACTS, { cost });
        expect(asked, `request ${request}`).toEqual(await memory!.whole.consume(FACTS, { cost }));
        expect(await left(redis!.each), `after request ${request}`).toEqual(await left(memory!.each));
      }
    }
  });

  test("an And admits everybody while one limit has room, and charges also the one that is over", async () => {
    const clock = manualClock(1_700_000_000_000_000);
    const store = storeOn(await open("cluster", inject("servers")), { clock });
    const sluice = createSluice({ namespace: freshNamespace(), store });
    const both = sluice.limit(`user:5/h ${name} and ip:50/h ${name}`);
    const decisions = await Promise.all(Array.from({ length: 40 }, () => both.consume(FACTS)));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(40);
    expect((await both.peek(FACTS)).limits.map(({ remaining }) => remaining)).toEqual([0, 10]);
  });
});
