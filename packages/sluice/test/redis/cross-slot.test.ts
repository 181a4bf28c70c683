/** Plans across slots of a Cluster, asked by several processes at once: no limit is exceeded, and nothing leaks. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { createSluice, type Sluice } from "../../src/limiter/sluice.js";
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
const LIMITS: readonly { readonly limit: number; readonly by: "user" | "ip" | undefined }[] = [
  { limit: 60, by: "user" },
  { limit: 100, by: undefined },
  { limit: 70, by: "ip" },
];

const textOf = ({ limit, by }: (typeof LIMITS)[number], name: string) =>
  `${by === undefined ? "" : `${by}:`}${limit}/${span} ${name}`;

/** That each limit allows what was admitted, and has counted all of it and nothing else. */
async function expectCounted(sluice: Sluice, name: string, admitted: readonly number[]): Promise<void> {
  for (const { limit, by } of LIMITS) {
    const limiter = sluice.limit(textOf({ limit, by }, name));
    for (const facts of FACTS) {
      const counted = sumOf(
        admitted.filter((_, which) => by === undefined || FACTS[which]![by] === facts[by]),
      );
      expect(counted, `admitted by ${by}:${limit}`).toBeLessThanOrEqual(limit);
      expect((await limiter.peek(facts)).remaining, `left of ${by}:${limit}`).toBe(limit - counted);
    }
  }
}

test.each(ALGORITHM_NAMES)(
  "%s: of 1,800 requests at once under limits on different slots, each limit has counted what was admitted",
  async (name) => {
    const namespace = freshNamespace();
    const rule = LIMITS.map((limit) => textOf(limit, name)).join(" or ");
    const outcomes = await Promise.all(
      workers.map((worker) => worker.run({ namespace, rule, requests: REQUESTS, facts: FACTS })),
    );
    const admitted = FACTS.map((_, which) => sumOf(outcomes.map((outcome) => outcome.admitted[which]!)));
    const sluice = createSluice({ namespace, store: storeOn(await open("cluster", inject("servers"))) });
    await expectCounted(sluice, name, admitted);

    // Requests that are about to be refused may hold what others ask for; when they are done, all of it is left.
    const limiter = sluice.limit(rule);
    for (let request = 0; sumOf(admitted) < 100 && request < 300; request += 1) {
      const which = request % FACTS.length;
      if ((await limiter.consume(FACTS[which]!)).allowed) admitted[which]! += 1;
    }
    expect(sumOf(admitted)).toBe(100);
    await expectCounted(sluice, name, admitted);
  },
);
