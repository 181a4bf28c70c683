/** A server that has forgotten the script is given it again: no call fails for it, and none is counted twice. */
import { expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { expectNoStrays } from "./strays.js";
import { startTrial } from "./trial.js";

expectNoStrays();

const LIMIT = 10_000;
const ROUNDS = 40;
const AT_ONCE = 25;

test.concurrent.for(CLIENTS)("$name", async (kind, { onTestFinished }) => {
  const { server, connect, stop } = await startTrial();
  onTestFinished(stop);
  const { store, errors } = await connect(kind, { deadlineMs: 10_000 });
  const limiter = createSluice({ store }).limit(`${LIMIT}/w`);
  let flushing = true;
  let flushes = 0;
  const flusher = (async () => {
    for (; flushing; flushes += 1) await server.command("SCRIPT", "FLUSH");
  })();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => limiter.consume()));
    expect(new Set(answers.map(({ source }) => source))).toEqual(new Set(["store"]));
    expect(Math.min(...answers.map(({ remaining }) => remaining))).toBe(LIMIT - round * AT_ONCE);
  }
  flushing = false;
  await flusher;
  expect(flushes).toBeGreaterThan(ROUNDS / 4);
  expect(errors).toEqual([]);
});
