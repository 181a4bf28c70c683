/** Every store through the conformance kit; and the kit itself, on stores that are wrong. */
import { describe, expect, test } from "vitest";
import type { Plan } from "../src/plan/plan.js";
import { memoryStore } from "../src/store/memory/memory-store.js";
import type { Store } from "../src/store/store.js";
import { storeConformance } from "../src/testing/conformance.js";
import type { CreateStore } from "../src/testing/run-scenario.js";
import { STORES } from "./stores.js";

describe.each(STORES)("$name", ({ create }) => {
  test.each(storeConformance(create))("$name", ({ run }) => run());
});

/** The memory store with one method replaced. */
function broken(change: (store: Store) => Partial<Store>): CreateStore {
  return (options) => {
    const store = memoryStore(options);
    const bound: Store = {
      decide: (plan) => store.decide(plan),
      peek: (plan) => store.peek(plan),
      refund: (plan, charged) => store.refund(plan, charged),
      reset: (plan) => store.reset(plan),
      close: () => store.close(),
    };
    return { ...bound, ...change(bound) };
  };
}

const WRONG: Readonly<Record<string, CreateStore>> = {
  "charges a refused plan": broken((store) => ({
    decide: (plan) => store.decide({ ...plan, shape: { ...plan.shape, countRefused: true } }),
  })),
  "charges on peek": broken((store) => ({ peek: (plan) => store.decide(plan) })),
  "forgets to refund": broken(() => ({ refund: () => {} })),
  "forgets to reset": broken(() => ({ reset: () => {} })),
  "ignores the cost": broken((store) => ({ decide: (plan: Plan) => store.decide({ ...plan, cost: 1 }) })),
  "never refuses": broken((store) => ({ decide: (plan: Plan) => store.peek({ ...plan, cost: 1 }) })),
};

describe.each(Object.entries(WRONG))("a store that %s", (_, create) => {
  test("does not pass the kit", async () => {
    const outcomes = await Promise.allSettled(storeConformance(create).map(({ run }) => run()));
    expect(outcomes.some((outcome) => outcome.status === "rejected")).toBe(true);
  });
});
