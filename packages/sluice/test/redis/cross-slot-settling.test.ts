/** What a plan across slots held and could not use is given back: with time passing, under load, after failures. */
import { describe, expect, inject, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import type { IoredisLike } from "../../src/store/redis/clients/ioredis.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { until } from "../redis-servers/until.js";
import { connections, PATIENT, storeOn } from "./connections.js";
import { ask, keysOf } from "./inspect.js";
import { quietSpan } from "./quiet-span.js";

const { open } = connections();
const span = quietSpan();

describe.each(ALGORITHM_NAMES)("%s", (name) => {
  test("who is refused by a limit of his own does not use up the limit of all", async () => {
    const time = manualClock(1_700_000_000_000_000);
    /** Every message is sent 5 ms after the one before. */
    const passing = () => {
      time.advance(5);
      return time();
    };
    const namespace = freshNamespace();
    const store = storeOn(await open("cluster", inject("servers")), { clock: passing });
    const memory = createSluice({ namespace, store: memoryStore({ clock: time }) });
    const redis = createSluice({ namespace, store });
    const [ofAll, ofAllInMemory] = [redis, memory].map((sluice) => sluice.limit(`100/10s ${name}`));
    const eve = redis.limit(`user:0/d or 100/10s ${name}`);
    await ofAll!.consume({}, { cost: 50 });
    await ofAllInMemory!.consume({}, { cost: 50 });

    for (let turn = 1; turn <= 10; turn += 1) {
      const decisions = await Promise.all(Array.from({ length: 20 }, () => eve.consume({ user: "eve" })));
      expect(decisions.some(({ allowed }) => allowed)).toBe(false);
    }
    const { remaining } = await ofAll!.peek();
    const { remaining: expected } = await ofAllInMemory!.peek();
    expect(remaining).toBeLessThanOrEqual(expected);
    expect(remaining).toBeGreaterThanOrEqual(expected - 1);
  });
});

test("when no more calls may wait, a refused request still gives back what it held", async () => {
  const connected = await open("cluster", inject("servers"));
  const [team, others] = [gate(), gate()];
  const client = delayed(connected.client as IoredisLike, {
    "{team:": team.opened,
    "{other:": others.opened,
  });
  const namespace = freshNamespace();
  const store = redisStore(client, { ...PATIENT, maxWaiting: 3 });
  const sluice = createSluice({ namespace, store });
  const facts = { user: "eve", ip: "192.0.2.1", team: "blue" };
  const refused = sluice.limit(`user:0/${span} or ip:5/${span} or team:5/${span}`).consume(facts);
  await until("only the answer for the team is missing", () => store.health().waiting === 1);
  const busy = ["a", "b"].map((other) => sluice.limit(`other:5/${span}`).consume({ other }));
  team.open();
  expect((await refused).allowed).toBe(false);
  others.open();
  await Promise.all(busy);

  const left = (by: string) => sluice.limit(`${by}:5/${span}`).peek(facts);
  const limits = await Promise.all(["ip", "team"].map(left));
  expect(limits.map(({ remaining }) => remaining)).toEqual([5, 5]);
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A Cluster client whose answers wait, where the first key has one of these parts. */
function delayed(client: IoredisLike, gates: Readonly<Record<string, Promise<void>>>): IoredisLike {
  return {
    status: "ready",
    isCluster: true,
    async call(name, args) {
      const answer = await client.call(name, args);
      for (const [part, opened] of Object.entries(gates)) if (args[2]!.includes(part)) await opened;
      return answer;
    },
  };
}

test("a key that cannot be read fails its plan, and the other limits of the plan keep nothing", async () => {
  const { cluster } = inject("servers");
  const client = await open("cluster", { cluster });
  const namespace = freshNamespace();
  const sluice = createSluice({ namespace, store: storeOn(client) });
  const both = sluice.limit(`user:5/${span} gcra or ip:5/${span} gcra`);
  const facts = { user: "ada", ip: "192.0.2.1" };
  await both.consume(facts);
  const [found] = (await keysOf(cluster.nodes, namespace)).filter(({ key }) => key.includes("{ip:"));
  await ask(found!.server, "DEL", found!.key);
  await ask(found!.server, "LPUSH", found!.key, "not ours");
  for (let request = 1; request <= 3; request += 1) {
    await expect(both.consume(facts)).rejects.toThrow("WRONGTYPE");
  }
  const byUser = sluice.limit(`user:5/${span} gcra`);
  await expect.poll(async () => (await byUser.peek(facts)).remaining).toBe(4);
});
