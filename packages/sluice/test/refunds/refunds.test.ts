/** Whatever is given back, and when: requests that were not given back keep their algorithm's bound. */
import { describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import { REDIS_STORES } from "../stores.js";
import { type Played, playRefunds } from "./play.js";

const IN_MEMORY = Number(process.env["SLUICE_REFUND_OPERATIONS"] ?? 200_000);
const ON_REDIS = 34_000;
const SEED = Number(process.env["SLUICE_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

function expectBound({ excesses, admitted, refused, refunds }: Played, operations: number): void {
  expect(excesses).toEqual([]);
  /** A run that refuses nothing, or gives nothing back, would show nothing. */
  expect(admitted).toBeGreaterThan(operations / 5);
  expect(refused).toBeGreaterThan(operations / 100);
  expect(refunds).toBeGreaterThan(operations / 10);
}

describe.each(ALGORITHM_NAMES)("%s", (algorithm) => {
  test(`${IN_MEMORY} operations in memory`, { timeout: 600_000 }, async () => {
    const options = { operations: IN_MEMORY, seed: SEED };
    expectBound(await playRefunds(algorithm, memoryStore, options), IN_MEMORY);
  });

  test(`${ON_REDIS} operations on Redis`, { timeout: 600_000 }, async () => {
    const options = { operations: ON_REDIS, seed: SEED, together: 100 };
    const [redis] = REDIS_STORES;
    expectBound(await playRefunds(algorithm, redis!.create, options), ON_REDIS);
  });
});
