/** A client that has lost its connection, and says so, is neither waited for nor asked. */
import { describe, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { until } from "../redis-servers/until.js";
import { callAll, DEADLINE_MS, longestMs, TOLERANCE_MS } from "./calls.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial } from "./trial.js";

expectNoStrays();

const CALLS = 100;

/** valkey-glide does not say whether it is connected. */
const TELLING = CLIENTS.filter(({ name }) => name !== "valkey-glide");

const STORES = [
  { name: "a store that was in use", used: true },
  { name: "a store that was not yet used", used: false },
];

describe.each(STORES)("$name", ({ used }) => {
  test.for(TELLING)("$name", async (kind, { onTestFinished }) => {
    const { server, connect, stop } = await startTrial();
    onTestFinished(stop);
    const { client, store, errors } = await connect(kind);
    const limiter = createSluice({ store }).limit(`user:${CALLS}/w`);
    if (used) await limiter.peek({ user: "1" });
    const { batches } = store.health();
    await server.kill();
    await until("the client knows", () => !isReady(client));

    const calls = await callAll(
      DEADLINE_MS,
      Array.from({ length: CALLS }, () => () => limiter.consume({ user: "1" })),
    );
    expect(longestMs(calls)).toBeLessThanOrEqual(TOLERANCE_MS);
    expect(new Set(calls.map(({ decision }) => decision?.source))).toEqual(new Set(["fallback"]));
    expect(reasonsOf(errors)).toEqual({ "not connected": CALLS });
    expect(store.health().batches).toBe(batches);
  });
});

/** As the libraries put it, each in its way. */
function isReady(client: { readonly status?: string; readonly isReady?: boolean }): boolean {
  return client.status === "ready" || client.isReady === true;
}
