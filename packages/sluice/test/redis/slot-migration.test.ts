/** Slots move between the nodes of a Cluster while their limits are in use: nothing is lost and nothing counts twice. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSluice, type Sluice } from "../../src/limiter/sluice.js";
import { slotOf } from "../../src/store/redis/slot.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { type RedisCluster, startCluster } from "../redis-servers/cluster.js";
import type { RedisServer } from "../redis-servers/redis-server.js";
import { until } from "../redis-servers/until.js";
import { connections, storeOn } from "./connections.js";
import { failuresOf, startLoad } from "./load.js";
import { quietSpan } from "./quiet-span.js";

const ROUNDS = 2;
const USERS = ["ada", "bob"];
const span = quietSpan();
const { open } = connections();

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.stop());

/** Two counters of each user, so that a message may have keys on both sides of a move. */
const LIMITS = [
  { limit: 1_000_000, text: `user:1000000/${span} fixed-window` },
  { limit: 100, text: `user:100/${span} sliding-log` },
];

function startLoads(sluice: Sluice) {
  return LIMITS.flatMap(({ limit, text }) =>
    USERS.map((user) => {
      const limiter = sluice.limit(text);
      return { user, limit, limiter, load: startLoad(3, () => limiter.consume({ user })) };
    }),
  );
}

/** To another node in small steps, with traffic in each; in one of them the slot's keys are on both nodes. */
async function move(slot: number, namespace: string, underLoad: () => Promise<void>): Promise<void> {
  const from = await cluster.nodeOfSlot(slot);
  const to = cluster.nodes[(cluster.nodes.indexOf(from) + 1) % cluster.nodes.length]!;
  await cluster.beginMigration(slot, from, to);
  await underLoad();
  const keys = (await from.command("CLUSTER", "GETKEYSINSLOT", `${slot}`, "100")) as string[];
  const first = keys.find((key) => key.startsWith(namespace))!;
  const before = await timesAskedAgain(from);
  await from.command("MIGRATE", to.host, `${to.port}`, first, "0", "5000");
  await until("a message is told to try again", async () => (await timesAskedAgain(from)) > before);
  await cluster.moveKeys(slot, from, to);
  await underLoad();
  await cluster.endMigration(slot, to);
  await underLoad();
}

/** How many messages had keys on both sides of a move. */
async function timesAskedAgain(node: RedisServer): Promise<number> {
  const [, count = "0"] =
    /errorstat_TRYAGAIN:count=(\d+)/.exec(String(await node.command("INFO", "errorstats"))) ?? [];
  return Number(count);
}

/** Not every library sends a message again whose keys are on both sides of a move; then it has counted nothing. */
const TOLD_TO_TRY_AGAIN = ["refused", "resting"];

const clusterClients = CLIENTS.filter(({ topologies }) => topologies.includes("cluster"));

test.each(clusterClients)("$name", async (kind) => {
  const store = storeOn(await open("cluster", { cluster }, kind), { deadlineMs: 5_000 });
  const namespace = freshNamespace();
  const sluice = createSluice({ namespace, store });
  const loads = startLoads(sluice);
  const underLoad = async () => {
    await Promise.all(loads.map(({ load }) => load.decided(10)));
  };
  try {
    await underLoad();
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const user of USERS) await move(slotOf(`{user:${user}}`), namespace, underLoad);
    }
  } finally {
    await Promise.all(loads.map(({ load }) => load.stop()));
  }

  for (const { user, limit, limiter, load } of loads) {
    const { tally } = load;
    const charged = limit - (await limiter.peek({ user })).remaining;
    expect(tally.strays).toEqual([]);
    expect(TOLD_TO_TRY_AGAIN).toEqual(expect.arrayContaining(Object.keys(tally.failed)));
    expect(tally.admitted).toBeLessThanOrEqual(limit);
    expect(tally.admitted).toBeLessThanOrEqual(charged);
    expect(charged).toBeLessThanOrEqual(tally.admitted + failuresOf(tally));
  }
});
