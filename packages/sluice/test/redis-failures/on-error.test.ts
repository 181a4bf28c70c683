/** The hook that is told of failures cannot take anyone's answer away. */
import { expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
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
