/** A store made of oracles: every key a list of all that happened, every tree read as it is written. */

import type { Verdict } from "../../src/algorithm/algorithm.js";
import type { AlgorithmName } from "../../src/algorithm/registry.js";
import { type Check, keyOf, type Plan, type Tree } from "../../src/plan/plan.js";
import type { PlanVerdict } from "../../src/store/store.js";
import type { CreateStore } from "../../src/testing/run-scenario.js";
import { answerOf, type Oracle } from "./oracle.js";
import { ORACLES } from "./registry.js";

export const oracleStore: CreateStore = ({ clock }) => {
  const oracles = new Map<string, Oracle>();

  function oracleOf(check: Check, now: number): Oracle {
    const { algorithm, quota } = check.counter;
    const oracle = oracles.get(keyOf(check)) ?? ORACLES[algorithm.name as AlgorithmName](quota);
    oracles.set(keyOf(check), oracle);
    oracle.heal(now);
    return oracle;
  }

  function ask(plan: Plan, charges: boolean): PlanVerdict {
    const now = clock();
    const asked = plan.checks.map((check) => ({ oracle: oracleOf(check, now), size: check.counter.size }));
    const fits = asked.map(({ oracle }) => oracle.fits(plan.cost, now));
    const allowed = !refuses(plan.tree, fits);
    if (charges && (allowed || plan.countRefused))
      for (const { oracle } of asked) oracle.charge(plan.cost, now);
    const verdicts = asked.map(({ oracle, size }, index): Verdict => {
      const answer = answerOf(oracle, size, plan.cost, now);
      return fits[index] === true ? { ...answer, allowed: true, retryAfterMs: 0 } : answer;
    });
    return { allowed, verdicts, source: "store" };
  }

  return {
    decide: (plan) => ask(plan, true),
    peek: (plan) => ask(plan, false),
    refund(plan) {
      const now = clock();
      for (const check of plan.checks) oracleOf(check, now).refund(plan.cost, now);
    },
    reset(plan) {
      for (const check of plan.checks) oracles.delete(keyOf(check));
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
