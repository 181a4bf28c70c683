/** Plays charges, refunds and settlements at random instants, and counts what was admitted beyond a bound. */
import type { AlgorithmName } from "../../src/algorithm/registry.js";
import type { Decision } from "../../src/decision/decision.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { toRule } from "../../src/rule/input.js";
import { limitsOf } from "../../src/rule/rule.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { type Random, seededRandom } from "../../src/testing/random.js";
import { type CreateStore, freshNamespace } from "../../src/testing/run-scenario.js";
import { type Admission, BOUNDS } from "./bounds.js";

export interface PlayOptions {
  readonly operations: number;
  readonly seed: number;
  /** Identities that are asked at one instant, so that a remote store answers them in one batch. */
  readonly together?: number;
}

export interface Played {
  readonly operations: number;
  readonly admitted: number;
  readonly refused: number;
  readonly refunds: number;
  /** What broke a bound, with how to play it again. */
  readonly excesses: readonly string[];
}

interface Request extends Admission {
  readonly decision: Decision;
  readonly cost: number;
  open: boolean;
}

/** One identity's requests, under one rule. */
interface Line {
  readonly facts: { readonly user: string };
  /** Since the last reset. */
  requests: Request[];
  /** From before it: they no longer count, and may still be given back. */
  forgotten: Request[];
  /** Charges of one instant on both sides of a reset cannot be told apart. */
  idleUntil: number;
}

const RULES: Readonly<Record<AlgorithmName, readonly string[]>> = {
  "sliding-log": ["user:10/s", "user:3/100ms", "user:40/m"],
  "sliding-window": ["user:10/s:0.1", "user:3/100ms:33ms", "user:40/m:20s", "user:7/s:1s"],
  "fixed-window": ["user:10/s fixed-window", "user:3/100ms fixed-window", "user:40/m fixed-window"],
  "sliding-counter": [
    "user:10/s sliding-counter",
    "user:3/100ms sliding-counter",
    "user:40/m sliding-counter",
  ],
  gcra: ["user:10/s gcra", "user:3/100ms burst 9", "user:40/m burst 5", "user:7/s burst 30"],
  ar1: ["user:10/s:0.1 ar1", "user:3/100ms:33ms ar1", "user:40/m:20s ar1"],
};

const START = 1_700_000_000_000_000;
/** How many instants a line lives before it is checked and another takes its place. */
const INSTANTS = 48;

/** A share of a tenth of the span on average, often none, now and then long enough for everything to age out. */
function randomStep(random: Random, span: number): number {
  const dice = random.integer(1, 100);
  if (dice <= 35) return 0;
  if (dice <= 70) return random.integer(1, Math.floor(span / 20));
  if (dice <= 95) return random.integer(1, Math.floor(span / 2));
  return random.integer(1, 3 * span);
}

export async function playRefunds(
  algorithm: AlgorithmName,
  createStore: CreateStore,
  { operations, seed, together = 1 }: PlayOptions,
): Promise<Played> {
  const random = seededRandom(seed);
  const clock = manualClock(START);
  const store = await createStore({ clock });
  const sluice = createSluice({ namespace: freshNamespace(), store });
  const played = { operations: 0, admitted: 0, refused: 0, refunds: 0 };
  const excesses: string[] = [];
  let named = 0;

  for (let round = 0; played.operations < operations; round += 1) {
    const rule = RULES[algorithm][round % RULES[algorithm].length]!;
    const { quota } = limitsOf(toRule(rule))[0]!;
    const limiter = sluice.limit(rule, { countRefused: random.chance(0.1) });
    const lines = Array.from({ length: together }, (): Line => {
      named += 1;
      return { facts: { user: `u${named}` }, requests: [], forgotten: [], idleUntil: 0 };
    });

    const check = ({ facts, requests }: Line): void => {
      const excess = BOUNDS[algorithm](requests, quota);
      if (excess === undefined) return;
      excesses.push(`${rule}, seed ${seed}, ${facts.user}: ${excess.units} too many at ${excess.at}`);
    };

    const act = async (line: Line): Promise<void> => {
      const { facts, requests, forgotten } = line;
      if (clock() < line.idleUntil) return;
      played.operations += 1;
      const open = [...forgotten, ...requests].filter((request) => request.open);
      const dice = random.integer(1, 100);
      if (random.chance(0.02)) {
        check(line);
        line.forgotten = open;
        line.requests = [];
        line.idleUntil = clock() + 1;
        return limiter.reset(facts);
      }
      if (open.length === 0 || dice <= 55) {
        const cost = random.chance(0.7) ? 1 : random.integer(1, 4);
        const at = clock();
        const decision = await limiter.consume(facts, { cost });
        if (decision.allowed) requests.push({ at, units: cost, cost, decision, open: true });
        played[decision.allowed ? "admitted" : "refused"] += 1;
        return;
      }
      /** The oldest as often as any: what is given back late is where the danger is. */
      const request = random.chance(0.5) ? open[0]! : random.pick(open);
      if (dice <= 90) {
        const units = random.chance(0.7) ? request.units : random.integer(1, request.units);
        request.units -= units;
        request.open = request.units > 0;
        played.refunds += 1;
        await limiter.refund(request.decision, { cost: units });
      } else if (dice <= 95) {
        await limiter.charge(facts, { cost: random.integer(1, 3) });
      } else {
        request.open = false;
      }
    };

    for (let instant = 0; instant < INSTANTS; instant += 1) {
      clock.set(clock() + randomStep(random, quota.span));
      if (together === 1) for (const line of lines) await act(line);
      else await Promise.all(lines.map(act));
    }
    for (const line of lines) {
      check(line);
      if (together === 1) await limiter.reset(line.facts);
    }
  }
  await store.close();
  return { ...played, excesses };
}
