/** What Prometheus reads: well-formed, in numbers that agree with what was asked, and with no label of a caller's. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisServer, startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { RawClient } from "../resp/raw-client.js";
import type { Family } from "./prometheus-text.js";
import { type Metrics, startWhole, type WholeServer } from "./whole-server.js";

const LIMITS = {
  api: { rule: "user:3/h gcra" },
  quiet: { rule: "user:1/h gcra", shadow: true },
  strict: { rule: "user:3/h gcra", onFailure: "deny" },
} as const;

const facts = { user: "ada" };

function expectConventions(families: ReadonlyMap<string, Family>): void {
  for (const { name, type, help, samples } of families.values()) {
    expect(name).toMatch(/^sluice_[a-z_]+$/);
    expect(help).toMatch(/^[A-Z].*\.$/);
    if (type === "counter") expect(name).toMatch(/_total$/);
    else expect(name).not.toMatch(/_(total|count|sum|bucket)$/);
    for (const { labels, value } of samples) {
      expect(Object.keys(labels).every((label) => /^[a-z]+$/.test(label))).toBe(true);
      expect(value).toBeGreaterThanOrEqual(0);
    }
    if (type === "histogram") expectBuckets({ name, type, help, samples });
  }
}

/** Cumulative, in order, the last of all. */
function expectBuckets({ name, samples }: Family): void {
  const groups = new Map<string, { bounds: number[]; counts: number[]; count?: number }>();
  for (const { name: sample, labels, value } of samples) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    const group = groups.get(key) ?? { bounds: [], counts: [] };
    groups.set(key, group);
    if (sample === `${name}_count`) group.count = value;
    if (sample !== `${name}_bucket`) continue;
    group.bounds.push(Number(le!.replace("Inf", "Infinity")));
    group.counts.push(value);
  }
  expect(groups.size).toBeGreaterThan(0);
  for (const { bounds, counts, count } of groups.values()) {
    expect(bounds).toEqual([...bounds].sort((one, other) => one - other));
    expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(counts.at(-1)).toBe(count);
  }
}

/** Every name with every set of labels, without the values. */
function seriesOf({ families }: Metrics): readonly string[] {
  const samples = [...families.values()].flatMap((family) => family.samples);
  return samples.map(({ name, labels }) => `${name}${JSON.stringify(labels)}`).sort();
}

describe("on memory", () => {
  let whole: WholeServer;
  beforeAll(async () => {
    whole = await startWhole(LIMITS);
  });
  afterAll(() => whole.server.close());

  const consume = (limit: string, body: object = { facts }) =>
    whole.ask(`POST /v1/limits/${limit}/consume`, { body });

  test("is well-formed before anything was asked", async () => {
    const { headers } = await whole.ask("GET /metrics");
    expect(headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expectConventions((await whole.metrics()).families);
  });

  test("decisions by limit, outcome and source, over every surface", async () => {
    for (let time = 0; time < 5; time += 1) await consume("api");
    for (let time = 0; time < 3; time += 1) await consume("quiet");
    await whole.ask("GET /v1/gate/api?user=bob");
    await whole.ask("POST /v1/batch", {
      body: { requests: [{ limit: "api", facts: { user: "cy" } }, { limit: "no" }] },
    });
    await whole.ask("POST /v1/limits/api/peek", { body: { facts } });
    await whole.ask("POST /v1/limits/api/consume", { body: {} });
    using redis = new RawClient(whole.server.resp.port);
    await redis.ask("SLUICE.CONSUME", "api", "user", "dan");
    for (let time = 0; time < 3; time += 1) await redis.ask("RATELIMIT", "k", "1000000000", "2000000000");

    const { value, families } = await whole.metrics();
    const decided = (limit: string, outcome: string) =>
      value("sluice_decisions_total", { limit, outcome, source: "store" });
    expect(decided("api", "allowed")).toBe(3 + 1 + 1 + 1);
    expect(decided("api", "refused")).toBe(2);
    expect(decided("quiet", "allowed")).toBe(1);
    expect(decided("quiet", "shadow_refused")).toBe(2);
    expect(value("sluice_decisions_total")).toBe(6 + 2 + 3);
    expect(value("sluice_ratelimit_decisions_total", { outcome: "allowed" })).toBe(2);
    expect(value("sluice_ratelimit_decisions_total", { outcome: "refused" })).toBe(1);
    expect(value("sluice_keys")).toBe(4 + 1 + 1);
    expectConventions(families);
  });

  test("how long answers took, by surface", async () => {
    const start = performance.now();
    const before = await whole.metrics();
    for (let time = 0; time < 10; time += 1) await consume("api");
    const after = await whole.metrics();
    const grown = (labels: Readonly<Record<string, string>>, name = "sluice_answer_seconds_count") =>
      after.value(name, labels) - before.value(name, labels);
    // The first of the two scrapes is counted by the second.
    expect(grown({ surface: "http" })).toBe(10 + 1);
    expect(grown({ surface: "resp" })).toBe(0);
    const seconds = grown({ surface: "http" }, "sluice_answer_seconds_sum");
    expect(seconds).toBeGreaterThan(0);
    // One after another.
    expect(seconds).toBeLessThan((performance.now() - start) / 1000);
  });

  test("no caller can make a new series", async () => {
    const before = seriesOf(await whole.metrics());
    const names = ['x"} 1', "a\nb", "é", "__proto__", "x".repeat(1_000), "api ", "../api"];
    for (const name of names) {
      const encoded = encodeURIComponent(name);
      await consume(encoded);
      await whole.ask(`GET /v1/gate/${encoded}?user=ada`);
      await whole.ask(`GET /${encoded}?${encoded}=1`);
      await consume("api", { facts: { user: name, [name]: name } });
      await consume("quiet", { facts: { user: name } });
      await whole.ask("POST /v1/batch", { body: { requests: [{ limit: name }] } });
    }
    await whole.ask("PROPFIND /v1/limits").catch(() => {});
    const after = await whole.metrics();
    expect(seriesOf(after)).toEqual(before);
    expectConventions(after.families);
  });
});

describe("on Redis", () => {
  let redis: RedisServer;
  let whole: WholeServer;
  beforeAll(async () => {
    redis = await startServer();
    whole = await startWhole(LIMITS, { url: redis.url, deadlineMs: 200 });
    await until("Redis is asked", async () => {
      const { json } = await whole.ask("POST /v1/limits/api/peek", { body: { facts } });
      return (json as { source: string }).source === "store";
    });
  });
  afterAll(async () => {
    await whole?.server.close();
    await redis?.stop();
  });

  test("batch sizes", async () => {
    const before = await whole.metrics();
    const requests = Array.from({ length: 20 }, (_, user) => ({ limit: "api", facts: { user } }));
    await whole.ask("POST /v1/batch", { body: { requests } });
    await whole.ask("GET /v1/gate/api?user=alone");
    const { value, families } = await whole.metrics();
    const grown = (name: string, labels = {}) => value(name, labels) - before.value(name, labels);
    expect(grown("sluice_store_batch_requests_count")).toBe(2);
    expect(grown("sluice_store_batch_requests_sum")).toBe(21);
    expect(grown("sluice_store_batch_requests_bucket", { le: "1" })).toBe(1);
    expect(grown("sluice_store_batch_requests_bucket", { le: "32" })).toBe(2);
    expect(value("sluice_store_waiting")).toBe(0);
    expect(families.has("sluice_keys")).toBe(false);
    expectConventions(families);
  });

  const breaker = ({ value }: Metrics) =>
    ["closed", "open", "probing"].filter((state) => value("sluice_store_breaker", { state }) === 1);

  test("failures by reason, who answered instead, and the breaker", async () => {
    const before = await whole.metrics();
    expect(breaker(before)).toEqual(["closed"]);
    expect(before.value("sluice_store_failures_total")).toBe(0);
    redis.pause();
    for (let time = 0; time < 4; time += 1) await whole.ask("GET /v1/gate/strict?user=ada");
    const during = await whole.metrics();
    expect(breaker(during)).toEqual(["open"]);
    expect(during.value("sluice_store_failures_total", { reason: "deadline" })).toBe(3);
    expect(during.value("sluice_store_failures_total", { reason: "resting" })).toBe(1);
    const refused = { limit: "strict", outcome: "refused", source: "fallback" };
    expect(during.value("sluice_decisions_total", refused)).toBe(4);

    redis.resume();
    await until(
      "the late answers are there",
      async () => (await whole.metrics()).value("sluice_store_late_answers_total") > 0,
    );
    await redis.kill();
    await until("that is noticed", async () => {
      await whole.ask("GET /v1/gate/api?user=ada");
      return (await whole.metrics()).value("sluice_store_failures_total", { reason: "not connected" }) > 0;
    });
    const after = await whole.metrics();
    expect(seriesOf(after).filter((series) => series.includes("failures"))).toEqual(
      seriesOf(before).filter((series) => series.includes("failures")),
    );
    expectConventions(after.families);
  });
});
