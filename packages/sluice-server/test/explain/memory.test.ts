/** The estimates of memory per key, against real stores. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSluice, type Limit, toRule } from "sluice";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { explainRule } from "../../src/explain/explain-rule.js";
import { memoryStoreWeight, redisWeight } from "../../src/explain/memory.js";
import { openStore } from "../../src/store/open-store.js";

const RULES = [
  "user:20/d gcra",
  "user:20/d fixed-window",
  "user:20/d sliding-counter",
  "user:20/d ar1",
  "user:20/d",
  "user:2/d",
  "user:300/d",
  "user:20/d:1h",
];

let server: RedisServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(String(await server.command("INFO", "memory")))![1]);
}

/** Memory that the server takes for a key whose user asked so often. */
async function redisBytes(rule: string, cost: number): Promise<number> {
  const keys = 2_000;
  const opened = openStore(server.url, { deadlineMs: 30_000, onFailure: "throw" });
  try {
    const limiter = createSluice({ store: opened.store }).limit(rule);
    const ask = (user: string) => limiter.consume({ user }, { cost });
    await ask("warm");
    await server.command("FLUSHALL");
    const before = await usedMemory();
    await Promise.all(Array.from({ length: keys }, (_, index) => ask(`user-${10_000 + index}`)));
    return ((await usedMemory()) - before) / keys;
  } finally {
    await opened.close();
  }
}

test.each(RULES)("%s in Redis", async (rule) => {
  const { exampleKey } = (await explainRule(rule)).limits[0]!;
  const limit = toRule(rule) as Limit;
  const { least, most } = redisWeight(limit, exampleKey.length);
  for (const [cost, estimate] of [
    [1, least],
    // All at once are one bucket of a sliding window.
    ...(limit.algorithm === "sliding-window" ? [] : [[limit.quota.limit, most] as const]),
  ] as const) {
    const measured = await redisBytes(rule, cost);
    expect(estimate / measured, `${estimate} for ${measured} bytes`).toBeGreaterThan(0.8);
    expect(estimate / measured, `${estimate} for ${measured} bytes`).toBeLessThan(1.2);
  }
});

/** Measured in a process of its own, whose heap holds nothing else. */
function memoryBytes(rule: string, cost: number): number {
  const script = `
    import { createSluice, memoryStore } from "sluice";
    const limiter = createSluice({ store: memoryStore() }).limit(${JSON.stringify(rule)});
    const ask = (user) => limiter.consume({ user }, { cost: ${cost} });
    await ask("warm");
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 20_000; index += 1) await ask("user-" + (10_000 + index));
    gc();
    console.log((process.memoryUsage().heapUsed - before) / 20_000);
  `;
  const here = fileURLToPath(new URL("../..", import.meta.url));
  return Number(
    execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", script], {
      cwd: here,
      encoding: "utf8",
    }),
  );
}

test.each(RULES)("%s in the memory store", (rule) => {
  const limit = toRule(rule) as Limit;
  const { least, most } = memoryStoreWeight(limit);
  for (const [cost, estimate] of [
    [1, least],
    ...(limit.algorithm === "sliding-window" ? [] : [[limit.quota.limit, most] as const]),
  ] as const) {
    const measured = memoryBytes(rule, cost);
    expect(estimate / measured, `${estimate} for ${measured} bytes`).toBeGreaterThan(0.7);
    expect(estimate / measured, `${estimate} for ${measured} bytes`).toBeLessThan(1.3);
  }
});
