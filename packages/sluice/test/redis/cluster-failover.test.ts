/** A primary of a Cluster dies under load: callers are answered in time, and its replica goes on counting. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { slotOf } from "../../src/store/redis/slot.js";
import type { Store } from "../../src/store/store.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { type RedisCluster, startCluster } from "../redis-servers/cluster.js";
import { connections, storeOn } from "./connections.js";
import { DEADLINE_MS, expectAnswered, killReplicated, useLimits } from "./failover.js";
import { failuresOf, startLoad } from "./load.js";
import { quietSpan } from "./quiet-span.js";

const LIMIT = 1_000_000;
const span = quietSpan();
const { open } = connections();

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startCluster({ replicas: true, nodeTimeoutMs: 1_000 });
});
afterAll(() => cluster?.stop());

/** node-redis 5 asks the dead node until it is back, and only from its answer learns who has taken over. */
const WAITS_FOR_THE_DEAD = ["node-redis 5"];

/** On a node that stays: a limit by itself, and one of a plan whose other limit is on the node that dies. */
function useOtherNode(store: Store, user: string, team: string) {
  const sluice = createSluice({ namespace: freshNamespace(), store });
  const alone = sluice.limit(`team:${LIMIT}/${span} fixed-window`, { key: "alone" });
  const across = sluice.limit(`user:${LIMIT}/${span} fixed-window or team:${LIMIT}/${span} fixed-window`);
  const used = [
    { limiter: alone, load: startLoad(1, () => alone.consume({ team }), DEADLINE_MS) },
    {
      limiter: sluice.limit(`team:${LIMIT}/${span} fixed-window`),
      load: startLoad(1, () => across.consume({ user, team }), DEADLINE_MS),
    },
  ];
  return {
    async stopAndCheck() {
      for (const { limiter, load } of used) {
        const tally = await load.stop();
        expectAnswered(tally);
        const charged = LIMIT - (await limiter.peek({ team })).remaining;
        expect(tally.admitted).toBeLessThanOrEqual(charged);
        expect(charged).toBeLessThanOrEqual(tally.admitted + failuresOf(tally));
      }
    },
  };
}

async function nameOn(other: boolean, by: string, primary: object): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `${by}${number}`;
    if (((await cluster.nodeOfSlot(slotOf(`{${by}:${name}}`))) !== primary) === other) return name;
  }
}

test("every library is answered in time, finds the new primary, and counts on", async () => {
  const primary = cluster.nodes[0]!;
  const [user, team] = [await nameOn(false, "user", primary), await nameOn(true, "team", primary)];
  const kinds = CLIENTS.filter(({ topologies }) => topologies.includes("cluster"));
  const used = await Promise.all(
    kinds.map(async (kind) => {
      const store = storeOn(await open("cluster", { cluster }, kind), { deadlineMs: DEADLINE_MS });
      return { kind, limits: useLimits(store, user), others: useOtherNode(store, user, team) };
    }),
  );
  const recovered = (some: typeof used) => Promise.all(some.map(({ limits }) => limits.decided(30)));
  await recovered(used);
  await killReplicated(primary, used.map(({ limits }) => limits), `{user:${user}}`); // biome-ignore format: one thought
  await recovered(used.filter(({ kind }) => !WAITS_FOR_THE_DEAD.includes(kind.name)));
  await primary.restart();
  await recovered(used);
  for (const { limits, others } of used) {
    await limits.stopAndCheck();
    await others.stopAndCheck();
  }
});
