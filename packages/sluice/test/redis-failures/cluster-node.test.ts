/** One node of a Cluster that does not answer: the others are asked as ever, and its own calls fall back in time. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { slotOf } from "../../src/store/redis/slot.js";
import { CLIENTS, type ClientKind } from "../redis-servers/clients.js";
import { type RedisCluster, startCluster } from "../redis-servers/cluster.js";
import type { RedisServer } from "../redis-servers/redis-server.js";
import { until } from "../redis-servers/until.js";
import { type Call, callAll, DEADLINE_MS, longestMs, TOLERANCE_MS } from "./calls.js";
import { expectNoStrays } from "./strays.js";
import { watchedStore } from "./trial.js";

expectNoStrays();

const KINDS = CLIENTS.filter(({ name }) => ["ioredis 5", "node-redis 5", "valkey-glide"].includes(name));
const ROUNDS = 150;
const PAUSE_MS = 10;

let cluster: RedisCluster;
let stopped: RedisServer;
/** Users whose keys are on the node that will be stopped, and others. */
const away: string[] = [];
const there: string[] = [];
beforeAll(async () => {
  cluster = await startCluster({ nodeTimeoutMs: 30_000 });
  stopped = cluster.nodes[0]!;
  for (let user = 0; away.length < 10 || there.length < 10; user += 1) {
    const node = await cluster.nodeOfSlot(slotOf(`{user:${user}}`));
    (node === stopped ? away : there).push(`${user}`);
  }
});
afterAll(() => cluster.stop());

describe.each(KINDS)("$name", (kind) => {
  let calls: Readonly<Record<"away" | "there", readonly Call[]>>;
  let limiter: Limiter;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ limiter, close } = await connected(kind));
    stopped.pause();
    calls = await callBoth(limiter);
    stopped.resume();
  });
  afterAll(() => close());

  test("every call is answered in time", () => {
    expect(longestMs([...calls.away, ...calls.there])).toBeLessThanOrEqual(DEADLINE_MS + TOLERANCE_MS);
  });

  test("calls to the node that is away are answered by the policy", () => {
    expect(calls.away.filter(({ decision }) => decision?.source !== "fallback")).toEqual([]);
  });

  test("calls to the other nodes are answered by them", () => {
    const replaced = calls.there.filter(({ decision }) => decision?.source !== "store");
    // On a busy machine one or the other may miss its deadline.
    expect(replaced.length).toBeLessThan(0.05 * calls.there.length);
  });

  test("the node is asked again after its return", async () => {
    await until("all users are answered by the store", () => storeAnswersAll(limiter), 2_000);
  });
});

async function connected(kind: ClientKind) {
  const { client, close } = await kind.connect("cluster", { cluster });
  const { store } = watchedStore(client);
  const limiter = createSluice({ store }).limit("user:1000/w");
  await until("all users are answered by the store", () => storeAnswersAll(limiter));
  return { limiter, close };
}

async function storeAnswersAll(limiter: Limiter): Promise<boolean> {
  const answers = await Promise.all([...away, ...there].map((user) => limiter.consume({ user })));
  return answers.every(({ source }) => source === "store");
}

/** A user of each kind in each round, whether or not those before have been answered. */
async function callBoth(limiter: Limiter) {
  const asked = { away: [] as Promise<readonly Call[]>[], there: [] as Promise<readonly Call[]>[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [users, calls] of [
      [away, asked.away],
      [there, asked.there],
    ] as const) {
      calls.push(callAll(DEADLINE_MS, [() => limiter.consume({ user: users[round % users.length]! })]));
    }
    await delay(PAUSE_MS);
  }
  const [ofAway, ofThere] = await Promise.all([Promise.all(asked.away), Promise.all(asked.there)]);
  return { away: ofAway.flat(), there: ofThere.flat() };
}
