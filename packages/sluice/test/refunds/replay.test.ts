/** As if what was given back had never been: every other request that was admitted is admitted in a replay without it. */
import { describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { Decision } from "../../src/decision/decision.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { type Random, seededRandom } from "../../src/testing/random.js";
import { type CreateStore, freshNamespace } from "../../src/testing/run-scenario.js";
import { oracleStore } from "../oracles/oracle-store.js";
import { REDIS_STORES } from "../stores.js";

const SEED = Number(process.env["SLUICE_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const START = 1_700_000_000_000_000;
const EVENTS = 60;

/** Limits that displace what was charged: under And, by refusals that count, by charges without a question. */
const RULES = [
  "ip:10/s and user:4/s",
  "ip:6/s or user:3/s",
  "(user:2/s and ip:5/s) or ip:12/m",
  "user:5/s",
] as const;

interface Event {
  readonly at: number;
  readonly kind: "consume" | "charge" | "reset";
  readonly facts: { readonly ip: string; readonly user: string };
  readonly decision?: Decision;
  /** What was not given back. */
  units: number;
}

function randomStep(random: Random): number {
  const dice = random.integer(1, 100);
  if (dice <= 45) return 0;
  if (dice <= 75) return random.integer(1, 60_000);
  if (dice <= 92) return random.integer(1, 900_000);
  return random.integer(1, 3_000_000);
}

async function excessOf(
  rule: string,
  countRefused: boolean,
  create: CreateStore,
  random: Random,
): Promise<string | undefined> {
  const clock = manualClock(START);
  const sluice = createSluice({ namespace: freshNamespace(), store: await create({ clock }) });
  const limiter = sluice.limit(rule, { countRefused });
  const events: Event[] = [];
  for (let number = 0; number < EVENTS; number += 1) {
    clock.set(Math.max(0, clock() + randomStep(random)));
    const at = clock();
    const facts = { ip: random.pick(["x", "x", "y"]), user: random.pick(["a", "b", "c"]) };
    const cost = random.chance(0.7) ? 1 : random.integer(1, 4);
    const dice = random.integer(1, 100);
    const open = events.filter(({ decision, units }) => decision !== undefined && units > 0);
    if (dice <= 60 || open.length === 0) {
      const decision = await limiter.consume(facts, { cost });
      if (decision.allowed) events.push({ at, kind: "consume", facts, decision, units: cost });
      else if (countRefused) events.push({ at, kind: "charge", facts, units: cost });
    } else if (dice <= 90) {
      const event = random.pick(open);
      const units = random.chance(0.6) ? event.units : random.integer(1, event.units);
      event.units -= units;
      await limiter.refund(event.decision, { cost: units });
    } else if (dice <= 96) {
      await limiter.charge(facts, { cost });
      events.push({ at, kind: "charge", facts, units: cost });
    } else {
      await limiter.reset(facts);
      events.push({ at, kind: "reset", facts, units: 1 });
    }
  }
  const replayed = manualClock(START);
  const model = createSluice({ store: await oracleStore({ clock: replayed }) }).limit(rule);
  for (const { at, kind, facts, units } of events) {
    if (units === 0) continue;
    replayed.set(at);
    if (kind === "reset") await model.reset(facts);
    else if (kind === "charge") await model.charge(facts, { cost: units });
    else if (!(await model.consume(facts, { cost: units })).allowed) {
      return `${rule}: ${units} of ${facts.user} at ${at - START} µs, seed ${SEED}`;
    }
  }
  return undefined;
}

async function excesses(algorithm: string, create: CreateStore, runs: number) {
  const random = seededRandom(SEED);
  const found: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const rule = RULES[run % RULES.length]!.replaceAll(/\/(s|m)/g, `/$1 ${algorithm}`);
    const excess = await excessOf(rule, random.chance(0.3), create, random);
    if (excess !== undefined) found.push(excess);
  }
  return found;
}

describe.each(ALGORITHM_NAMES)("%s", (algorithm) => {
  test("in memory", { timeout: 600_000 }, async () => {
    expect(await excesses(algorithm, memoryStore, 600)).toEqual([]);
  });

  test("on Redis", { timeout: 600_000 }, async () => {
    expect(await excesses(algorithm, REDIS_STORES[0]!.create, 40)).toEqual([]);
  });
});
