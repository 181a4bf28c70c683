/** Limits in use while their primary dies, and what is promised of them. */
import { expect } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import type { Store } from "../../src/store/store.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { TOLERANCE_MS } from "../redis-failures/calls.js";
import { rawCommand } from "../redis-servers/raw-command.js";
import type { RedisServer } from "../redis-servers/redis-server.js";
import { failuresOf, startLoad, type Tally } from "./load.js";
import { quietSpan } from "./quiet-span.js";

export const DEADLINE_MS = 500;
const CALLERS = 2;
const LARGE = 1_000_000;
const SMALL = 20;

export interface LimitsInUse {
  decided(more: number): Promise<void>;
  /** Says that what was admitted until now is at the replica. */
  replicated(): void;
  /** Says that the primary is dead. */
  died(): void;
  stopAndCheck(): Promise<void>;
}

/** A limit with much room and one that is soon used up, both for a user whose primary will die. */
export function useLimits(store: Store, user: string): LimitsInUse {
  const span = quietSpan();
  const sluice = createSluice({ namespace: freshNamespace(), store });
  const large = sluice.limit(`user:${LARGE}/${span} gcra`);
  const small = sluice.limit(`user:${SMALL}/${span} sliding-log`);
  const [inLarge, inSmall] = [large, small].map((limiter) =>
    startLoad(CALLERS, () => limiter.consume({ user }), DEADLINE_MS),
  ) as [ReturnType<typeof startLoad>, ReturnType<typeof startLoad>];
  let kept = 0;
  let known = 0;
  return {
    async decided(more) {
      await Promise.all([inLarge.decided(more), inSmall.decided(more)]);
    },
    replicated() {
      kept = inLarge.tally.admitted;
    },
    died() {
      known = inLarge.tally.admitted;
    },
    async stopAndCheck() {
      const [ofLarge, ofSmall] = [await inLarge.stop(), await inSmall.stop()];
      expectAnswered(ofLarge);
      expectAnswered(ofSmall);
      const charged = LARGE - (await large.peek({ user })).remaining;
      // Replication is asynchronous: what was admitted after the replica last heard of it may be forgotten, ...
      expect(charged).toBeGreaterThanOrEqual(ofLarge.admitted - (known - kept) - CALLERS);
      // ... and a client library may send again what was under way.
      expect(charged).toBeLessThanOrEqual(ofLarge.admitted + failuresOf(ofLarge) + CALLERS);
      expect(ofSmall.admitted, "a limit that was used up before").toBe(SMALL);
    },
  };
}

/** Nobody gets anything but an answer or a StoreUnavailable, and nobody gets it late. */
export function expectAnswered({ strays, latestMs }: Tally): void {
  expect(strays).toEqual([]);
  expect(latestMs).toBeLessThanOrEqual(TOLERANCE_MS);
}

/** Kills a primary whose replica has at least what all limits had admitted when this was called. */
export async function killReplicated(
  primary: RedisServer,
  limits: readonly LimitsInUse[],
  key: string,
): Promise<void> {
  for (const inUse of limits) inUse.replicated();
  const replicas = await rawCommand(primary.port, [
    ["SET", key, "marks a point in the replication"],
    ["WAIT", "1", "4000"],
  ]);
  expect(replicas).toBe(1);
  await primary.kill();
  for (const inUse of limits) inUse.died();
}
