/** A Cluster node that does not answer is hardly asked, however many users are counted on it. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { slotOf } from "../../src/store/redis/slot.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { startCluster } from "../redis-servers/cluster.js";
import { expectNoStrays } from "./strays.js";
import { watchedStore } from "./trial.js";

expectNoStrays();

const USERS = 1_000;
const PAUSE_MS = 20;
/** As many failures as the breakers need, on a busy machine too. */
const UNTIL_KNOWN_MS = 1_500;
const LASTING_MS = 1_500;
const MOST_BATCHES = 200;

/** The slots are dealt out in three equal ranges. */
const FIRST_NODE_ENDS = 5_461;

test("after the first failures, it is only probed", async ({ onTestFinished }) => {
  const cluster = await startCluster({ nodeTimeoutMs: 30_000 });
  onTestFinished(cluster.stop);
  const { client, close } = await CLIENTS[0]!.connect("cluster", { cluster });
  onTestFinished(close);
  const { store } = watchedStore(client);
  const limiter = createSluice({ store }).limit("user:100/w");
  const users = usersBefore(FIRST_NODE_ENDS);
  const node = await cluster.nodeOfSlot(0);
  node.pause();

  await callAgainAndAgain(limiter, users, UNTIL_KNOWN_MS);
  const { batches } = store.health();
  await callAgainAndAgain(limiter, users, LASTING_MS);
  expect(store.health().batches - batches).toBeLessThanOrEqual(MOST_BATCHES);
  node.resume();
});

function usersBefore(slot: number): readonly string[] {
  const users: string[] = [];
  for (let user = 0; users.length < USERS; user += 1) {
    if (slotOf(`{user:${user}}`) < slot) users.push(`${user}`);
  }
  return users;
}

async function callAgainAndAgain(limiter: Limiter, users: readonly string[], forMs: number): Promise<void> {
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const answers = await Promise.all(users.map((user) => limiter.consume({ user })));
    expect(answers.every(({ source }) => source === "fallback")).toBe(true);
    await delay(PAUSE_MS);
  }
}
