/** Plays a scenario on any store. */
import type { Scenario, Step } from "../algorithm/scenario.js";
import type { Clock } from "../clock.js";
import type { Decision } from "../decision/decision.js";
import { createSluice } from "../limiter/sluice.js";
import type { Store } from "../store/store.js";
import { manualClock } from "./manual-clock.js";

/** Makes a store that reads the given clock. It may be shared: every run counts in a namespace of its own. */
export type CreateStore = (options: { readonly clock: Clock }) => Store | Promise<Store>;

let runs = 0;

/** A namespace that no other run uses, in this process or another. */
export function freshNamespace(): string {
  runs += 1;
  return `test-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${runs}`;
}

/** Rejects at the first step that is not answered as the scenario expects. */
export async function runScenario(scenario: Scenario, createStore: CreateStore): Promise<void> {
  const clock = manualClock();
  const store = await createStore({ clock });
  const { rule, countRefused = false } = scenario;
  const limiter = createSluice({ namespace: freshNamespace(), store }).limit(rule, { countRefused });
  try {
    for (const [index, step] of scenario.steps.entries()) {
      clock.set(Math.round(step.at * 1000));
      for (let time = 0; time < (step.times ?? 1); time += 1) {
        const { call = "consume", facts = {}, cost = 1 } = step;
        const decision = (await limiter[call](facts, { cost })) ?? undefined;
        compare(scenario, index, step, decision);
      }
    }
  } finally {
    await store.close();
  }
}

function compare({ title, rule }: Scenario, index: number, step: Step, decision: Decision | undefined): void {
  for (const [field, expected] of Object.entries(step.expect ?? {})) {
    const got = decision?.[field as keyof NonNullable<Step["expect"]>];
    if (Object.is(got, expected)) continue;
    throw new Error(
      `${rule}, "${title}", step ${index + 1} (${step.call ?? "consume"} at ${step.at} ms): ` +
        `expected ${field} ${expected}, got ${got}.`,
    );
  }
}
