/** An answer that comes too late is dropped: it changes nothing but what Redis has counted, and that once. */
import { expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { until } from "../redis-servers/until.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial } from "./trial.js";

expectNoStrays();

const LIMIT = 1_000;
const AT_ONCE = 300;
/** A batch carries at most 128 requests. */
const BATCHES = 3;

test.concurrent.for(CLIENTS)("$name", async (kind, { onTestFinished }) => {
  const { server, connect, stop } = await startTrial();
  onTestFinished(stop);
  const { store, errors } = await connect(kind);
  const sluice = createSluice({ store });
  const limiter = sluice.limit(`user:${LIMIT}/w`);
  const patient = sluice.limit(`user:${LIMIT}/w`, { deadlineMs: 10_000 });
  server.pause();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => limiter.consume({ user: "1" })));
  expect(new Set(answers.map(({ source }) => source))).toEqual(new Set(["fallback"]));
  expect(reasonsOf(errors)).toEqual({ deadline: BATCHES });
  expect(store.health()).toMatchObject({ breaker: "open", waiting: 0, lateAnswers: 0, batches: BATCHES });

  server.resume();
  await until("the late answers are there", () => store.health().lateAnswers === BATCHES, 2_000);
  expect(store.health()).toMatchObject({ breaker: "closed", waiting: 0 });
  expect(await patient.peek({ user: "1" })).toMatchObject({ remaining: LIMIT - AT_ONCE, source: "store" });
});
