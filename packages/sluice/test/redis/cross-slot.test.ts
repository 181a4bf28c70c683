/** Plans across slots of a Cluster, asked by several processes at once: no limit is exceeded, and nothing leaks. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "./connections.js";
import { quietSpan } from "./quiet-span.js";
import { startWorkers, sumOf, type Worker } from "./workers.js";

const PROCESSES = 3;
const REQUESTS = 600;
const span = quietSpan();
const { open } = connections();

let workers: readonly Worker[] = [];
beforeAll(async () => {
  workers = await startWorkers(PROCESSES, { cluster: inject("servers").cluster });
});
afterAll(() => {
  for (const worker of workers) worker.stop();
});

const FACTS = ["ada", "bob", "cid"].flatMap((user) => ["192.0.2.1", "192.0.2.2"].map((ip) => ({ user, ip })));

/** The limits of the rule, each by itself: what may be admitted, and to whom. */
const LIMITS = [
  { limit: 60, by: "user" },
  { limit: 100, by: undefined },
  { limit: 70, by: "ip" },
] as const;

test.each(ALGORITHM_NAMES)(
  "%s: of 1,800 requests under three limits on different slots, each limit has counted what was admitted",
  async (name) => {
    const namespace = freshNamespace();
    const texts = LIMITS.map(({ limit, by }) => `${by === undefined ? "" : `${by}:`}${limit}/${span} ${name}`);
    const rule = texts.join(" or ");
    const outcomes = await Promise.all(
      workers.map((worker) => worker.run({ namespace, rule, requests: REQUESTS, facts: FACTS })),
    );
    const admitted = FACTS.map((_, which) => sumOf(outcomes.map((outcome) => outcome.admitted[which]!)));
    expect(sumOf(admitted)).toBeGreaterThan(0);

    const sluice = createSluice({ namespace, store: storeOn(await open("cluster", inject("servers"))) });
    for (const [index, { limit, by }] of LIMITS.entries()) {
      const limiter = sluice.limit(texts[index]!);
      for (const facts of FACTS) {
        const counted = sumOf(
          admitted.filter((_, which) => by === undefined || FACTS[which]![by] === facts[by]),
        );
        expect(counted, `admitted by ${texts[index]}`).toBeLessThanOrEqual(limit);
        expect((await limiter.peek(facts)).remaining, `left of ${texts[index]}`).toBe(limit - counted);
      }
    }
  },
);
