/** No more calls wait than may wait; the others are answered by the policy at once. */
import { expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { type Call, callAll, DEADLINE_MS, longestMs, TOLERANCE_MS } from "./calls.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial } from "./trial.js";

expectNoStrays();

const CALLS = 1_000;
const MAX_WAITING = 100;

test.for(CLIENTS)("$name", async (kind, { onTestFinished }) => {
  const { server, connect, stop } = await startTrial();
  onTestFinished(stop);
  const { store, errors } = await connect(kind, { maxWaiting: MAX_WAITING });
  const limiter = createSluice({ store }).limit(`user:${CALLS}/w`, { onFailure: "throw" });
  server.pause();
  const asked = callAll(
    DEADLINE_MS,
    Array.from({ length: CALLS }, () => () => limiter.consume({ user: "1" })),
  );
  expect(store.health().waiting).toBe(MAX_WAITING);
  const calls = await asked;
  const atOnce = calls.filter(isOverloaded);
  expect(atOnce).toHaveLength(CALLS - MAX_WAITING);
  expect(longestMs(atOnce)).toBeLessThan(DEADLINE_MS);
  expect(longestMs(calls)).toBeLessThanOrEqual(DEADLINE_MS + TOLERANCE_MS);
  expect(reasonsOf(errors)).toEqual({ overloaded: CALLS - MAX_WAITING, deadline: 1 });
  expect(store.health()).toMatchObject({ waiting: 0, failures: reasonsOf(errors) });
});

function isOverloaded({ error }: Call): boolean {
  return error instanceof StoreUnavailable && error.reason === "overloaded";
}
