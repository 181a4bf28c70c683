/** The differential runner: the memory store against the oracles and against Redis, and stores that differ. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../src/store/memory/memory-store.js";
import { runDifferential } from "../src/testing/differential.js";
import type { CreateStore } from "../src/testing/run-scenario.js";
import { oracleStore } from "./oracles/oracle-store.js";
import { REDIS_STORES } from "./stores.js";

describe("the memory store and a store made of oracles", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "give the same answers to 2,500 random plans (seed %i)",
    async (seed) => {
      const report = await runDifferential(memoryStore, oracleStore, { plans: 2_500, seed });
      expect(report.allowed).toBeGreaterThan(250);
      expect(report.refused).toBeGreaterThan(250);
    },
  );
});

/**
 * A plan in several parts that is refused was held and released, which leaves its counters as they were but tells them
 * what time it is. So they may differ from counters that were never asked once the clock goes back.
 */
describe.each(REDIS_STORES)("the memory store and $name", ({ inParts, create }) => {
  test.each([1, 2])("give the same answers to 1,500 random plans (seed %i)", async (seed) => {
    const report = await runDifferential(memoryStore, create, { plans: 1_500, seed, stepsBack: !inParts });
    expect(report.allowed).toBeGreaterThan(150);
    expect(report.refused).toBeGreaterThan(150);
  });
});

const lateByAMillisecond: CreateStore = ({ clock }) => memoryStore({ clock: () => clock() + 1_000 });

test("a difference is reported with its seed, and the seed repeats it", async () => {
  const run = () => runDifferential(memoryStore, lateByAMillisecond, { plans: 2_000, seed: 42 });
  const first = await run().catch((error: Error) => error.message);
  expect(first).toMatch(
    /^The stores differ \(seed 42, plan \d+\): .+ at \d+ µs\n {2}one: {3}\{.+\}\n {2}other: \{.+\}$/,
  );
  expect(await run().catch((error: Error) => error.message)).toBe(first);
});
