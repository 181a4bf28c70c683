/** Plans across slots take several round trips, which together keep to one deadline. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import type { IoredisLike } from "../../src/store/redis/clients/ioredis.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { callAll, longestMs, TOLERANCE_MS } from "../redis-failures/calls.js";
import { connections } from "./connections.js";

const DEADLINE_MS = 1_000;
const ANSWER_MS = 350;
const { open } = connections();

/** Answers late, and after so many messages not at all. */
function stalling(client: IoredisLike, answers: number): IoredisLike {
  let calls = 0;
  return {
    status: "ready",
    isCluster: true,
    async call(name, args) {
      calls += 1;
      if (calls > answers) return new Promise(() => {});
      const answer = await client.call(name, args);
      await delay(ANSWER_MS);
      return answer;
    },
  };
}

/** On two slots: the holds are two messages, what settles them up to two more. */
test.concurrent.each([
  { title: "no answer at all", answers: 0, countRefused: false },
  { title: "none to the second hold", answers: 1, countRefused: false },
  { title: "none after the holds", answers: 2, countRefused: false },
  { title: "none after the holds, where refusals count", answers: 2, countRefused: true },
  { title: "none after hold and charge, where refusals count", answers: 4, countRefused: true },
])("$title: the caller is answered by the deadline", async ({ answers, countRefused }) => {
  const { client } = await open("cluster", inject("servers"));
  const warm = redisStore(client as IoredisLike, { deadlineMs: 30_000 });
  const rule = "user:0/h or ip:5/h";
  const facts = { user: "ada", ip: "192.0.2.1" };
  await createSluice({ namespace: freshNamespace(), store: warm }).limit(rule).consume(facts);

  const store = redisStore(stalling(client as IoredisLike, answers), {
    deadlineMs: DEADLINE_MS,
    onFailure: "deny",
  });
  const limiter = createSluice({ namespace: freshNamespace(), store }).limit(rule, { countRefused });
  const calls = await callAll(DEADLINE_MS, [() => limiter.consume(facts)]);
  expect(calls[0]!.decision?.allowed).toBe(false);
  expect(longestMs(calls)).toBeLessThanOrEqual(DEADLINE_MS + TOLERANCE_MS);
});
