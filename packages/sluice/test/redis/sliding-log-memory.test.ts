/** A sliding log weighs ten bytes a unit, and a decision costs the same at any size. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { type RedisServer, startServer } from "../redis-servers/redis-server.js";
import { connections, storeOn } from "./connections.js";
import { type CommandCalls, callsOn, forgetCalls, keysOf } from "./inspect.js";
import { sumOf } from "./workers.js";

const BYTES_PER_UNIT = 10;
/** What a value is longer by: its header, and part of a unit where a fifth of the places is not a whole number. */
const HEADER_BYTES = 64;
const SPAN_MS = 3_600_000;
const { open } = connections();

let single: RedisServer;
beforeAll(async () => {
  single = await startServer();
});
afterAll(() => single?.stop());

async function freshSluice(clock = manualClock(1_700_000_000_000_000)) {
  const namespace = freshNamespace();
  const store = storeOn(await open("single", { single }), { clock });
  const keyCommand = async (...command: readonly string[]) => {
    const [found] = await keysOf([single], namespace);
    return Number(await single.command(...command, found!.key));
  };
  return { clock, keyCommand, sluice: createSluice({ namespace, store }) };
}

describe.each([
  { limit: 1_000, costs: [1, 7] },
  { limit: 100_000, costs: [1_000, 777] },
])("a log of $limit units", ({ limit, costs }) => {
  test.each(costs)(
    "filled by %i at a time, weighs at most ten bytes a unit, and so it stays",
    async (cost) => {
      const { clock, keyCommand, sluice } = await freshSluice();
      const limiter = sluice.limit(`${limit}/h`);
      const weights: { used: number; bytes: number }[] = [];
      const rounds = Math.floor(limit / cost);
      for (let round = 1; round <= 2.5 * rounds; round += 1) {
        clock.advance(SPAN_MS / rounds);
        await limiter.consume({}, { cost });
        if (round % Math.ceil(rounds / 50) !== 0) continue;
        weights.push({ used: limit - (await limiter.peek()).remaining, bytes: await keyCommand("STRLEN") });
      }
      expect(weights.length).toBeGreaterThan(100);
      for (const { used, bytes } of weights) {
        expect(bytes, `at ${used} units`).toBeLessThanOrEqual(BYTES_PER_UNIT * used + HEADER_BYTES);
      }
      // With what Redis adds for the key and the allocator rounds up.
      expect(await keyCommand("MEMORY", "USAGE")).toBeLessThanOrEqual(BYTES_PER_UNIT * limit);
    },
  );
});

/** By question, the commands that the server runs for it, most of them within the script. */
async function commandsAt(limit: number): Promise<Readonly<Record<string, CommandCalls>>> {
  const { clock, sluice } = await freshSluice();
  const limiter = sluice.limit(`${limit}/h`);
  for (let unit = 1; unit <= 5; unit += 1) {
    await limiter.consume();
    clock.advance(1);
  }
  for (let left = limit - 5; left > 0; left -= 1_000)
    await limiter.consume({}, { cost: Math.min(left, 1_000) });
  const commandsOf = async (act: () => Promise<unknown>) => {
    await forgetCalls(single);
    await act();
    const calls = Object.entries(await callsOn(single));
    return Object.fromEntries(calls.filter(([command]) => !/^(config|info)/.test(command)));
  };
  const answers: Record<string, CommandCalls> = {
    refusal: await commandsOf(() => limiter.consume()),
    peek: await commandsOf(() => limiter.peek()),
    refund: await commandsOf(() => limiter.refund()),
    "admission after a refund": await commandsOf(() => limiter.consume()),
  };
  clock.advance(SPAN_MS - 5);
  answers["admission when the oldest unit dies"] = await commandsOf(() => limiter.consume());
  clock.advance(3);
  answers["admission when three units die"] = await commandsOf(() => limiter.consume({}, { cost: 3 }));
  answers["refusal of cost 2"] = await commandsOf(() => limiter.consume({}, { cost: 2 }));
  return answers;
}

test("every question takes as many commands at 10 units as at 100,000", async () => {
  const small = await commandsAt(10);
  expect(await commandsAt(100_000)).toEqual(small);
  for (const commands of Object.values(small)) {
    expect(sumOf(Object.values(commands))).toBeLessThan(12);
  }
});
