/** `sluice bench`, and how it counts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { Latencies } from "../../src/cli/latencies.js";
import { sluice, sluiceJson } from "./sluice-command.js";

let server: RedisServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const SHORT = ["--seconds", "1", "--callers", "20", "--keys", "50"];

test.each<[string, () => string]>([
  ["memory", () => "memory"],
  ["Redis", () => server.url],
])("measures %s", async (_, url) => {
  const { code, out, err } = await sluice(["bench", "--store", url(), ...SHORT]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/decisions {3}[\d,]+ a second, [\d,]+ in all, \d+\.\d % of them refused/);
  expect(out).toMatch(/latency {5}p50 \S+ (µs|ms), p99 \S+ (µs|ms|s)\n/);
  expect(out).toMatch(/client {6}\S+ (µs|ms) of processor time for each decision/);
  expect(out).toContain("errors      none");
});

test("as JSON, with the names that its help tells", async () => {
  const { code, json } = await sluiceJson(["bench", "--store", server.url, "--rule", "user:5/m", ...SHORT]);
  const report = json as Record<string, number>;
  const help = (await sluice(["bench", "--help"])).out;
  expect(code).toBe(0);
  for (const name of Object.keys(report)) expect(help).toContain(name);
  expect(report["allowed"]! + report["refused"]!).toBe(report["decisions"]);
  // Fifty users with five each, and nobody gets one back within the second.
  expect(report["allowed"]).toBe(250);
  expect(report["p99Ms"]!).toBeGreaterThanOrEqual(report["p50Ms"]!);
  expect(report["decisionsPerSecond"]!).toBeCloseTo(report["decisions"]! / report["seconds"]!);
});

test("leaves the counters of others alone", async () => {
  await server.command("FLUSHALL");
  await sluice(["bench", "--store", server.url, ...SHORT]);
  const keys = (await server.command("KEYS", "*")) as string[];
  expect(keys.length).toBe(50);
  expect(keys.every((key) => key.startsWith("sluice-bench:"))).toBe(true);
});

test("ends early with a summary on SIGINT", async () => {
  await server.command("FLUSHALL");
  const { code, out } = await sluice(["bench", "--store", server.url, "--seconds", "600", "--keys", "10"], {
    meanwhile: (child) => {
      const timer = setInterval(async () => {
        if (String(await server.command("KEYS", "sluice-bench:*user-9*")) === "") return;
        clearInterval(timer);
        child.kill("SIGINT");
      }, 50);
    },
  });
  expect(code).toBe(0);
  expect(out).toContain("a second");
});

test("a store that is not there ends with 3", async () => {
  expect((await sluice(["bench", "--store", "redis://127.0.0.1:1"])).code).toBe(3);
});

test("a store that goes away is counted as errors", async () => {
  const victim = await startServer();
  const { code, json } = await sluiceJson(
    ["bench", "--store", victim.url, "--seconds", "3", "--keys", "10"],
    {
      meanwhile: () => {
        const timer = setInterval(async () => {
          if (String(await victim.command("KEYS", "sluice-bench:*user-9*").catch(() => "")) === "") return;
          clearInterval(timer);
          await victim.kill();
        }, 50);
      },
    },
  );
  await victim.stop();
  expect(code).toBe(0);
  expect(Object.keys((json as { errors: object }).errors)).toContain("not connected");
});

describe("latencies", () => {
  test("quantiles are right to three per cent", () => {
    const latencies = new Latencies();
    for (let ms = 1; ms <= 1_000; ms += 1) latencies.add(ms);
    for (const [share, expected] of [
      [0.5, 500],
      [0.99, 990],
      [1, 1_000],
    ] as const) {
      expect(latencies.quantile(share) / expected).toBeGreaterThanOrEqual(0.999);
      expect(latencies.quantile(share) / expected).toBeLessThan(1.03);
    }
  });

  test("of nothing are nothing, and any time has its place", () => {
    expect(new Latencies().quantile(0.5)).toBe(0);
    const extreme = new Latencies();
    for (const ms of [0, 1e-9, 1e12]) extreme.add(ms);
    expect(extreme.quantile(0.5)).toBeLessThan(0.001);
    expect(extreme.quantile(1)).toBeGreaterThan(1e7);
  });
});
