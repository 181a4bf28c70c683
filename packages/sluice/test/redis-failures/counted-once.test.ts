/** A request whose answer got lost may have been counted, so that nobody sends it again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { slotOf } from "../../src/store/redis/slot.js";
import { CLIENTS } from "../redis-servers/clients.js";
import type { RedisServer } from "../redis-servers/redis-server.js";
import { until } from "../redis-servers/until.js";
import type { Relay } from "./relay.js";
import { type RelayedCluster, startRelayedCluster } from "./relayed-cluster.js";
import { expectNoStrays } from "./strays.js";
import { startTrial, watchedStore } from "./trial.js";

expectNoStrays();

const FACTS = { user: "1" };

/** Loses the answer to a request that Redis has counted, and the connection with it. */
async function loseAnAnswer(client: object, server: RedisServer, relay: Relay): Promise<void> {
  const { store } = watchedStore(client);
  const limiter = createSluice({ store }).limit("user:100/w", { deadlineMs: 2_000 });
  await until("the store answers", async () => (await limiter.peek(FACTS)).source === "store");
  relay.loseReplies();
  const asked = limiter.consume(FACTS);
  try {
    await until("Redis has counted", async () => (await server.command("DBSIZE")) === 1, 2_000);
  } finally {
    relay.pass();
    relay.cut();
  }
  expect(await asked).toMatchObject({ source: "fallback" });
  await until("the client is back", async () => (await limiter.peek(FACTS)).source === "store");
  expect(await limiter.peek(FACTS)).toMatchObject({ remaining: 99, source: "store" });
}

describe("a single server", () => {
  test.concurrent.for(CLIENTS)("$name", async (kind, { onTestFinished }) => {
    const { server, relay, connect, stop } = await startTrial({ relayed: true });
    onTestFinished(stop);
    const { client } = await connect(kind);
    await loseAnAnswer(client, server, relay);
  });
});

describe("a Cluster", () => {
  let cluster: RelayedCluster;
  beforeAll(async () => {
    cluster = await startRelayedCluster(slotOf("{user:1}"));
  });
  afterAll(() => cluster.stop());

  test.for(CLIENTS)("$name", async (kind, { onTestFinished }) => {
    const { node, relay, relays } = cluster;
    await node.command("FLUSHALL");
    const { client, close } = await kind.connect("cluster", { cluster: { nodes: relays } });
    onTestFinished(close);
    await loseAnAnswer(client, node, relay);
  });
});
