/** The timelines of every algorithm, on the memory store. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../src/store/memory/memory-store.js";
import { runScenario } from "../src/testing/run-scenario.js";
import { SCENARIOS } from "../src/testing/scenarios.js";

describe.each(Object.entries(SCENARIOS))("%s", (_, scenarios) => {
  test.each(scenarios)("$rule: $title", (scenario) => runScenario(scenario, memoryStore));
});

test("a scenario that is not met is reported with its step", async () => {
  const wrong = { title: "wrong", rule: "1/s", steps: [{ at: 0 }, { at: 5, expect: { remaining: 7 } }] };
  await expect(runScenario(wrong, memoryStore)).rejects.toThrow(
    '1/s, "wrong", step 2 (consume at 5 ms): expected remaining 7, got 0.',
  );
});
