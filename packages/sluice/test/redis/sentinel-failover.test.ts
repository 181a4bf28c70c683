/** A primary under Sentinel dies under load: callers are answered in time, and the replica goes on counting. */
import { afterAll, beforeAll, test } from "vitest";
import { CLIENTS } from "../redis-servers/clients.js";
import { type SentinelGroup, startSentinelGroup } from "../redis-servers/sentinel.js";
import { connections, storeOn } from "./connections.js";
import { DEADLINE_MS, killReplicated, useLimits } from "./failover.js";

const { open } = connections();

let sentinel: SentinelGroup;
beforeAll(async () => {
  sentinel = await startSentinelGroup();
});
afterAll(() => sentinel?.stop());

test("every library is answered in time, finds the new primary, and counts on", async () => {
  const kinds = CLIENTS.filter(({ topologies }) => topologies.includes("sentinel"));
  const limits = await Promise.all(
    kinds.map(async (kind) => {
      const store = storeOn(await open("sentinel", { sentinel }, kind), { deadlineMs: DEADLINE_MS });
      return useLimits(store, "ada");
    }),
  );
  const decided = () => Promise.all(limits.map((inUse) => inUse.decided(30)));
  await decided();
  await killReplicated(sentinel.primary, limits, "mark");
  await sentinel.untilPrimaryIs(sentinel.replica);
  await decided();
  for (const inUse of limits) await inUse.stopAndCheck();
});
