/** A script that may not write has changed nothing, not even the first of several limits. */
import { expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { OUT_OF_MEMORY, READ_ONLY } from "./faults.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial } from "./trial.js";

expectNoStrays();

/** Every algorithm, each on a key of its own. */
const RULE = [
  "user:1000/w sliding-log",
  "user:1000/w sliding-window",
  "user:1000/w fixed-window",
  "user:1000/w sliding-counter",
  "ip:1000/w gcra",
  "ip:1000/w ar1",
].join(" or ");
const FACTS = { user: "1", ip: "10.0.0.1" };

/** 5 is more than a ring has room for at first, so that it would have to grow. */
const COSTS = [1, 5, 100];

test.for([OUT_OF_MEMORY, READ_ONLY])("$name", async (fault, { onTestFinished }) => {
  const trial = await startTrial({ server: { args: ["--enable-debug-command", "yes"] } });
  onTestFinished(trial.stop);
  const { server } = trial;
  const { store, errors } = await trial.connect(CLIENTS[0]!, { deadlineMs: 10_000, onFailure: "throw" });
  const limiter = createSluice({ store }).limit(RULE);
  await limiter.consume(FACTS, { cost: 3 });
  const before = (await limiter.peek(FACTS)).limits.map(({ remaining }) => remaining);
  const digest = await server.command("DEBUG", "DIGEST");

  for (const cost of COSTS) {
    await fault.begin(trial);
    await expect(limiter.consume(FACTS, { cost })).rejects.toMatchObject({ reason: "refused" });
    await fault.end(trial);
    expect(await server.command("DEBUG", "DIGEST")).toBe(digest);
    expect((await limiter.peek(FACTS)).limits.map(({ remaining }) => remaining)).toEqual(before);
  }
  expect(before).toEqual([997, 997, 997, 997, 997, 997]);
  expect(reasonsOf(errors)).toEqual({ refused: COSTS.length });
});
