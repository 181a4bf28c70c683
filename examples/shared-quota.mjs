/**
 * One quota of an upstream API, shared by processes over Redis: two of them have fifteen jobs each, and together they
 * never start more than ten in a second.
 *
 *   node examples/shared-quota.mjs        with a Redis on port 6379, or at REDIS_URL
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { createSluice } from "sluice";
import { redisStore } from "sluice/redis";

const JOBS = 15;

/** In each of the processes: nothing here knows of the others. */
async function work() {
  const redis = new Redis(process.env.REDIS_URL ?? "redis://127.0.0.1:6379", { maxRetriesPerRequest: 0 });
  const sluice = createSluice({ namespace: "shared-quota", store: redisStore(redis) });
  // While Redis is away nobody works, since each process by itself would use the whole quota.
  const upstream = sluice.limit("10/s", { key: "upstream", onFailure: "deny" });

  async function job() {
    await upstream.wait();
    process.send(Date.now()); // here it would call the API
  }
  await Promise.all(Array.from({ length: JOBS }, job));
  redis.disconnect();
  process.disconnect();
}

async function lead() {
  const starts = [];
  const workers = [1, 2].map(() => fork(import.meta.filename));
  for (const worker of workers) worker.on("message", (at) => starts.push(at));
  await Promise.all(workers.map((worker) => once(worker, "exit")));

  const first = Math.min(...starts);
  const seconds = starts.map((at) => Math.round((at - first) / 1000));
  for (let second = 0; second <= Math.max(...seconds); second += 1) {
    const started = seconds.filter((other) => other === second).length;
    console.log(`after ${second} s: ${started} jobs`);
  }
}

await (process.send === undefined ? lead() : work());
