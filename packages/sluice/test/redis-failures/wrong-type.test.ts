/** A key that someone else uses for something else costs only its own requests their answer. */
import { expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial } from "./trial.js";

expectNoStrays();

const USERS = ["1", "2", "3", "4", "5"];
const MISUSED = "3";

test.for(ALGORITHM_NAMES)(
  "%s: of one batch, the others are decided",
  async (algorithm, { onTestFinished }) => {
    const { server, connect, stop } = await startTrial();
    onTestFinished(stop);
    const { store, errors } = await connect(CLIENTS[0]!, { deadlineMs: 10_000 });
    const rule = `user:10/w ${algorithm}`;
    const limiter = createSluice({ store }).limit(rule, { onFailure: "throw" });
    const local = createSluice({ store }).limit(rule);
    await limiter.consume({ user: MISUSED });
    const [key] = (await server.command("KEYS", "*")) as string[];
    await server.command("DEL", key!);
    await server.command("RPUSH", key!, "something else");
    const { batches } = store.health();

    const answers = await Promise.allSettled(USERS.map((user) => limiter.consume({ user })));
    expect(store.health().batches).toBe(batches + 1);
    answers.forEach((answer, index) => {
      if (USERS[index] !== MISUSED) {
        expect(answer).toMatchObject({ value: { remaining: 9, source: "store" } });
        return;
      }
      expect(answer).toMatchObject({ reason: { reason: "unreadable" } });
      expect((answer as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable);
    });
    expect(await local.consume({ user: MISUSED })).toMatchObject({ remaining: 9, source: "fallback" });
    expect(reasonsOf(errors)).toEqual({ unreadable: 2 });
    expect(store.health().breaker).toBe("closed");

    await limiter.reset({ user: MISUSED });
    expect(await limiter.consume({ user: MISUSED })).toMatchObject({ remaining: 9, source: "store" });
  },
);
