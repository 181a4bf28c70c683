/** The differential runner: the memory store against the oracles, and stores that differ. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../src/store/memory/memory-store.js";
import { runDifferential } from "../src/testing/differential.js";
import type { CreateStore } from "../src/testing/run-scenario.js";
import { oracleStore } from "./oracles/oracle-store.js";

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

const lateByAMillisecond: CreateStore = ({ clock }) => memoryStore({ clock: () => clock() + 1_000 });

test("a difference is reported with its seed, and the seed repeats it", async () => {
  const run = () => runDifferential(memoryStore, lateByAMillisecond, { plans: 2_000, seed: 42 });
  const first = await run().catch((error: Error) => error.message);
  expect(first).toMatch(
    /^The stores differ \(seed 42, plan \d+\): .+ at \d+ µs\n {2}one: {3}\{.+\}\n {2}other: \{.+\}$/,
  );
  expect(await run().catch((error: Error) => error.message)).toBe(first);
});
