/** A store made of oracles: every key a list of all that happened, every tree read as it is written. */

import type { Verdict } from "../../src/algorithm/algorithm.js";
import type { AlgorithmName } from "../../src/algorithm/registry.js";
import { type Counter, keyOf, keysOf, type Plan, type Tree } from "../../src/plan/plan.js";
import type { PlanVerdict } from "../../src/store/store.js";
import type { CreateStore } from "../../src/testing/run-scenario.js";
import { answerOf, type KnowingOracle, type KnownCharge, knowing } from "./oracle.js";
import { ORACLES } from "./registry.js";

export const oracleStore: CreateStore = ({ clock }) => {
  const oracles = new Map<string, KnowingOracle>();

  function oracleOf(counter: Counter, identity: string, now: number): KnowingOracle {
    const key = keyOf(counter, identity);
    const oracle =
      oracles.get(key) ?? knowing(ORACLES[counter.algorithm.name as AlgorithmName](counter.quota));
    oracles.set(key, oracle);
    oracle.heal(now);
    return oracle;
  }

  function ask({ shape, identities, cost }: Plan, charges: boolean): PlanVerdict {
    const now = clock();
    const asked = shape.counters.map((counter, check) => ({
      oracle: oracleOf(counter, identities[check] as string, now),
      size: counter.size,
    }));
    const fits = asked.map(({ oracle }) => oracle.fits(cost, now));
    const allowed = !refuses(shape.tree, fits);
    const charged =
      charges && (allowed || shape.countRefused)
        ? asked.map(({ oracle }, index) => ({ fitted: fits[index], charge: oracle.charge(cost, now) }))
        : [];
    const verdicts = asked.map(({ oracle, size }, index): Verdict => {
      const answer = answerOf(oracle, size, cost, now);
      return charges && allowed && fits[index] === true
        ? { ...answer, allowed: true, retryAfterMs: 0 }
        : answer;
    });
    if (!charges || !allowed) return { allowed, verdicts, source: "store" };
    const taken = charged.map(({ fitted, charge }) => (fitted ? charge : undefined));
    return { allowed, verdicts, source: "store", charge: taken };
  }

  return {
    decide: (plan) => ask(plan, true),
    peek: (plan) => ask(plan, false),
    refund({ shape, identities, cost }, { charge: taken }) {
      const now = clock();
      shape.counters.forEach((counter, check) => {
        const charged = (taken as readonly (KnownCharge | undefined)[])[check];
        const oracle = oracleOf(counter, identities[check] as string, now);
        if (charged !== undefined) oracle.refund(cost, now, charged);
        if (oracle.turningPoints(now).length === 0)
          oracles.delete(keyOf(counter, identities[check] as string));
      });
    },
    reset(plan) {
      for (const key of keysOf(plan)) oracles.delete(key);
    },
    close() {},
  };
};

/** Or refuses when any part does, And when all do; what does not apply never refuses. */
function refuses(tree: Tree, fits: readonly boolean[]): boolean {
  if (typeof tree === "number") return fits[tree] === false;
  const parts = tree.parts.map((part) => refuses(part, fits));
  return tree.kind === "or" ? parts.includes(true) : !parts.includes(false);
}
