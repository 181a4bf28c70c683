/** State that is not what the script wrote: it is taken as fresh, and never makes the script fail or run on. */
import { beforeEach, describe, expect, test } from "vitest";
import { ALGORITHM_NAMES } from "../../src/algorithm/registry.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import { CLIENTS } from "../redis-servers/clients.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial, type Trial, type WatchedStore } from "./trial.js";

expectNoStrays();

/** Lua on the bytes of a state. */
const DAMAGES = [
  ["cut to 3 bytes", "bytes:sub(1, 3)"],
  ["cut in half", "bytes:sub(1, #bytes / 2)"],
  ["one byte longer", "bytes .. 'x'"],
  ["numbers that are none", "(string.char(255)):rep(#bytes)"],
  ["numbers beyond all bounds", "('x'):rep(#bytes)"],
  ["a header of numbers that are none", "(string.char(255)):rep(48) .. bytes:sub(49)"],
  ["a header of numbers beyond all bounds", "('x'):rep(48) .. bytes:sub(49)"],
] as const;

/** A ring that is damaged only behind its header still knows how much it holds. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  "sliding-log": ["cut in half", "one byte longer"],
  "sliding-window": ["one byte longer"],
};

describe.each(ALGORITHM_NAMES)("%s", (algorithm) => {
  let trial: Trial;
  let watched: WatchedStore;
  let limiter: Limiter;
  beforeEach(async ({ onTestFinished }) => {
    trial = await startTrial();
    onTestFinished(trial.stop);
    watched = await trial.connect(CLIENTS[0]!, { deadlineMs: 2_000 });
    limiter = createSluice({ store: watched.store }).limit(`user:100/w ${algorithm}`);
  });

  test.each(DAMAGES)("%s", async (damage, bytes) => {
    await limiter.consume({ user: "1" }, { cost: 40 });
    await damageKey(trial, bytes);

    const expected = KEPT[algorithm]?.includes(damage) ? 60 : 100;
    expect(await limiter.peek({ user: "1" })).toMatchObject({ remaining: expected, source: "store" });
    expect(await limiter.consume({ user: "1" })).toMatchObject({ remaining: expected - 1, source: "store" });
    await limiter.refund({ user: "1" });
    expect(await limiter.peek({ user: "1" })).toMatchObject({ remaining: expected, source: "store" });
    expect(reasonsOf(watched.errors)).toEqual({});
  });
});

async function damageKey({ server }: Trial, bytes: string): Promise<void> {
  const [key] = (await server.command("KEYS", "*")) as string[];
  const script = `local bytes = redis.call("GET", KEYS[1]) redis.call("SET", KEYS[1], ${bytes}, "KEEPTTL")`;
  await server.command("EVAL", script, "1", key!);
}
