/** A process whose clock is an hour off decides as everybody else: the time is Redis's. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "./connections.js";
import { quietSpan } from "./quiet-span.js";
import { admittedByEach, startWorker, sumOf, type Worker } from "./workers.js";

const HOUR_MS = 3_600_000;
const { open } = connections();

const clockOffBy = (ms: number) => new URL(`shift-date.mjs?ms=${ms}`, import.meta.url);

let right: Worker;
let early: Worker;
let late: Worker;
beforeAll(async () => {
  const { single } = inject("servers");
  [right, early, late] = await Promise.all([
    startWorker({ single }),
    startWorker({ single }, clockOffBy(-HOUR_MS)),
    startWorker({ single }, clockOffBy(HOUR_MS)),
  ]);
});
afterAll(() => {
  for (const worker of [right, early, late]) worker?.stop();
});

test("the clocks are off at all", async () => {
  for (const [worker, offMs] of [
    [right, 0],
    [early, -HOUR_MS],
    [late, HOUR_MS],
  ] as const) {
    const before = Date.now();
    const now = (await worker.now()) - offMs;
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  }
});

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test("three processes, of which two have a wrong clock, admit exactly the limit", async () => {
    const namespace = freshNamespace();
    const rule = `300/${quietSpan()} ${name}`;
    const admitted = await admittedByEach([right, early, late], () => ({ namespace, rule, requests: 500 }));
    expect(sumOf(admitted)).toBe(300);
  });

  test("a wrong clock changes nothing of when to come back", async () => {
    const namespace = freshNamespace();
    const rule = `5/${quietSpan()} ${name}`;
    const store = storeOn(await open("single", inject("servers")));
    const limiter = createSluice({ namespace, store }).limit(rule);
    for (let request = 1; request <= 5; request += 1) await limiter.consume();
    for (const worker of [early, late]) {
      const before = await limiter.peek();
      const { retryAfterMs } = await worker.run({ namespace, rule, requests: 1 });
      const after = await limiter.peek();
      expect(before.retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs[0]).toBeLessThanOrEqual(before.retryAfterMs);
      expect(retryAfterMs[0]).toBeGreaterThanOrEqual(after.retryAfterMs);
    }
  });
});
