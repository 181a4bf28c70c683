/** The hook that is told of failures cannot take anyone's answer away. */
import { describe, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import type { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { expectNoStrays } from "./strays.js";
import { startTrial } from "./trial.js";

expectNoStrays();

const HOOKS = [
  {
    name: "throws",
    onError: () => {
      throw new Error("The log is full.");
    },
  },
  {
    name: "rejects",
    onError: async () => {
      throw new Error("The log is full.");
    },
  },
];

test.for(HOOKS)("a hook that $name", async ({ onError }, { onTestFinished }) => {
  const { server, connect, stop } = await startTrial();
  onTestFinished(stop);
  const { client } = await connect(CLIENTS[0]!);
  const store = redisStore(client as AnyRedisClient, { onError });
  const limiter = createSluice({ store }).limit("user:2/w");
  server.pause();
  expect(await limiter.consume({ user: "1" })).toMatchObject({ remaining: 1, source: "fallback" });
  expect(store.health().failures.deadline).toBe(1);
});

describe("calls that are not sent", () => {
  /** A client that has ended. */
  const client: AnyRedisClient = { status: "end", call: () => Promise.reject(new Error("Never called.")) };
  const CALLS = 1_000;

  test.each(["local", "allow", "deny"] as const)(
    "each is told, by one error for all: %s",
    async (onFailure) => {
      const errors: StoreUnavailable[] = [];
      const store = redisStore(client, { onFailure, onError: (error) => void errors.push(error) });
      const limiter = createSluice({ store }).limit("user:5/w");
      await Promise.all(Array.from({ length: CALLS }, () => limiter.consume({ user: "1" })));
      expect(errors).toHaveLength(CALLS);
      expect(store.health().failures["not connected"]).toBe(CALLS);
      // A second one where a second has passed meanwhile.
      expect(new Set(errors).size).toBeLessThanOrEqual(2);
      expect(errors[0]!.stack).toBe("StoreUnavailable: The Redis client is not connected.");
    },
  );

  test("each is thrown an error of its own, without a stack, which would cost more than the call", async () => {
    const store = redisStore(client, { onFailure: "throw" });
    const limiter = createSluice({ store }).limit("user:5/w");
    const caught = (call: Promise<unknown>) => call.then(undefined, (error: StoreUnavailable) => error);
    const askHere = () => caught(limiter.consume({ user: "1" }));
    const errors = await Promise.all([
      askHere(),
      askHere(),
      caught(limiter.peek({ user: "1" })),
      caught(limiter.reset({ user: "1" })),
    ]);
    expect(new Set(errors).size).toBe(errors.length);
    for (const error of errors) expect(error).toMatchObject({ reason: "not connected" });
    expect((errors[0] as StoreUnavailable).stack).toBe(
      "StoreUnavailable: The Redis client is not connected.",
    );
  });
});
