/** Asks two stores the same random questions and stops at the first answer that differs. */
import type { Decision } from "../decision/decision.js";
import type { Limiter } from "../limiter/limiter.js";
import { createSluice } from "../limiter/sluice.js";
import type { Store } from "../store/store.js";
import { manualClock } from "./manual-clock.js";
import { seededRandom } from "./random.js";
import { randomCall, randomRule, randomStep } from "./random-plans.js";
import { type CreateStore, freshNamespace } from "./run-scenario.js";

export interface DifferentialOptions {
  /** How many plans are asked; 1000 when left out. */
  readonly plans?: number;
  /** Repeats a run; chosen at random when left out. */
  readonly seed?: number;
  /** Whether the clock also goes back; true when left out. */
  readonly stepsBack?: boolean;
}

/** What was asked, so that a run that proves nothing can be told. */
export interface DifferentialReport {
  readonly seed: number;
  readonly plans: number;
  readonly allowed: number;
  readonly refused: number;
}

const RULES = 24;
const MOST_KEPT = 16;
const START = 1_700_000_000_000_000;

/** Rejects with the seed, the plan and both answers where they first differ. */
export async function runDifferential(
  createOne: CreateStore,
  createOther: CreateStore,
  { plans = 1000, seed = Math.floor(Math.random() * 2 ** 32), stepsBack = true }: DifferentialOptions = {},
): Promise<DifferentialReport> {
  const random = seededRandom(seed);
  const clock = manualClock(START);
  const stores = [await createOne({ clock }), await createOther({ clock })] as const;
  try {
    const rules = Array.from({ length: RULES }, () => ({
      text: randomRule(random),
      countRefused: random.chance(0.1),
    }));
    const limitersOf = (store: Store) => {
      const sluice = createSluice({ namespace: freshNamespace(), store });
      return rules.map(({ text, countRefused }) => sluice.limit(text, { countRefused }));
    };
    const [ones, others] = [limitersOf(stores[0]), limitersOf(stores[1])];
    const counts = { allowed: 0, refused: 0 };
    /** What was admitted by rule, as each store said it, to be given back later. */
    const admitted = rules.map((): [Decision, Decision][] => []);
    for (let plan = 1; plan <= plans; plan += 1) {
      const step = randomStep(random);
      clock.set(Math.max(0, clock() + (stepsBack ? step : Math.abs(step))));
      const index = random.integer(0, RULES - 1);
      const { call, facts, cost } = randomCall(random);
      const earlier = admitted[index]!;
      const pair = call === "refund" && random.chance(0.8) ? random.pick([undefined, ...earlier]) : undefined;
      const ask = (limiter: Limiter, decision: Decision | undefined) =>
        decision === undefined ? limiter[call](facts, { cost }) : limiter.refund(decision, { cost });
      const one = (await ask(ones[index]!, pair?.[0])) ?? undefined;
      const other = (await ask(others[index]!, pair?.[1])) ?? undefined;
      if (written(one) !== written(other)) {
        throw new Error(
          `The stores differ (seed ${seed}, plan ${plan}): ${call}(${written(facts)}, cost ${cost}) of ` +
            `${rules[index]!.text} at ${clock()} µs\n  one:   ${written(one)}\n  other: ${written(other)}`,
        );
      }
      if (call !== "consume" || one === undefined || other === undefined) continue;
      counts[one.allowed ? "allowed" : "refused"] += 1;
      if (one.allowed) earlier.push([one, other]);
      if (earlier.length > MOST_KEPT) earlier.shift();
    }
    return { seed, plans, ...counts };
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}

/** JSON, in which Infinity is not null. */
function written(value: unknown): string {
  return String(JSON.stringify(value, (_, part) => (part === Number.POSITIVE_INFINITY ? "Infinity" : part)));
}
