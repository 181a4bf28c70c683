/** However many keys are asked for, a server on the memory store holds no more than it may. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { redisBenchmark } from "../resp/redis-tools.js";
import { type Sluice, startSluice } from "./sluice-process.js";

const MOST_KEYS = 5_000;
const CALLS = 100_000;
/** An hour for each call, and room for a hundred: far more than chance gives to one key. */
const HOURS = ["3600000000000", "360000000000000"];

test("100,000 calls on 50,000 keys", async () => {
  const config = `store: { url: memory, maxKeys: ${MOST_KEYS} }\nlimits: { each: "user:5/h or ip:9/h" }`;
  await using server = await startSluice({ config });
  const flags = ["-r", "50000", "-P", "32", "-n", String(CALLS)];
  const looks: number[] = [];
  let isLooking = true;
  const looking = (async () => {
    for (; isLooking; await delay(20)) looks.push(await metric(server, "sluice_keys"));
  })();
  await redisBenchmark(server.respPort, ...flags, "RATELIMIT", "key:__rand_int__", ...HOURS);
  const consume = ["SLUICE.CONSUME", "each", "user", "__rand_int__", "ip", "__rand_int__"];
  await redisBenchmark(server.respPort, "-r", "50000", "-P", "32", "-n", "10000", ...consume);
  isLooking = false;
  await looking;

  expect(looks.length).toBeGreaterThan(5);
  expect(Math.max(...looks)).toBeLessThanOrEqual(MOST_KEYS);
  expect(await metric(server, "sluice_keys")).toBe(MOST_KEYS);
  const decided = await metric(server, 'sluice_ratelimit_decisions_total{outcome="allowed",source="store"}');
  expect(decided).toBe(CALLS);
});

async function metric(server: Sluice, name: string): Promise<number> {
  const metrics = await (await server.fetch("/metrics")).text();
  const line = metrics.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
