/** Four processes on one Redis admit exactly what a limit allows, run after run, on Redis's own clock. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { quietSpan } from "./quiet-span.js";
import { admittedByEach, startWorkers, sumOf, type Worker } from "./workers.js";

const PROCESSES = 4;
const REQUESTS = 2_000;
const span = quietSpan();

let workers: readonly Worker[] = [];
beforeAll(async () => {
  workers = await startWorkers(PROCESSES, { single: inject("servers").single });
});
afterAll(() => {
  for (const worker of workers) worker.stop();
});

interface Case {
  readonly title: string;
  readonly rule: (algorithm: string) => string;
  readonly cost?: number;
  readonly admitted: number;
  readonly runs: number;
}

/** Each process is a user of its own, all of one team. Under `or` the smallest limit decides, under `and` the largest. */
const CASES: readonly Case[] = [
  { title: "one limit", rule: (name) => `1000/${span} ${name}`, admitted: 1_000, runs: 20 },
  { title: "one limit, cost 3", rule: (name) => `1000/${span} ${name}`, cost: 3, admitted: 333, runs: 2 },
  {
    title: "or of two limits",
    rule: (name) => `user:400/${span} ${name} or 1000/${span} ${name}`,
    admitted: 1_000,
    runs: 2,
  },
  {
    title: "or of three limits",
    rule: (name) => `1500/${span} ${name} or user:230/${span} ${name} or 1000/${span} gcra`,
    admitted: 920,
    runs: 2,
  },
  {
    title: "and of two limits",
    rule: (name) => `team:300/${span} ${name} and 1000/${span} ${name}`,
    admitted: 1_000,
    runs: 2,
  },
  {
    title: "a limit and two others, of which one may be over",
    rule: (name) => `2000/${span} ${name} or (1000/${span} ${name} and team:90/${span} ${name})`,
    admitted: 1_000,
    runs: 2,
  },
];

let shared = 0;

describe.each(CASES)("$title", ({ rule, cost, admitted, runs }) => {
  test.each(ALGORITHM_NAMES)(
    `%s admits exactly ${admitted} of 8,000 in each of ${runs} runs`,
    async (name) => {
      for (let run = 1; run <= runs; run += 1) {
        const namespace = freshNamespace();
        const counted = await admittedByEach(workers, (worker) => ({
          namespace,
          rule: rule(name),
          requests: REQUESTS,
          facts: [{ user: `u${worker}`, team: "blue" }],
          ...(cost !== undefined && { cost }),
        }));
        expect(sumOf(counted), `run ${run}`).toBe(admitted);
        if (counted.filter((ofOne) => ofOne > 0).length > 1) shared += 1;
      }
    },
  );
});

test("in many of these runs several processes were admitted, so that they did meet", () => {
  expect(shared).toBeGreaterThan(20);
});
