import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPlanner } from "../../plan/planner.js";
import { toRule } from "../../rule/input.js";
import { Batcher, type RunBatch } from "./batcher.js";
import type { Request } from "./message.js";

const DEADLINE_MS = 100;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const planner = createPlanner(toRule("user:10/m gcra"), {
  namespace: "test",
  key: "",
  countRefused: false,
});

function request(user: string): Request {
  return { operation: "decide", plan: planner({ facts: { user } }, 1), given: undefined };
}

function batcherOf(run: RunBatch) {
  const told: string[] = [];
  const batcher = new Batcher(run, {
    sent: (requests) => told.push(`sent ${requests}`),
    answered: () => told.push("answered"),
    failed: (_, error) => told.push(`failed: ${error.message}`),
    unreadable: () => told.push("unreadable"),
    late: () => told.push("late"),
  });
  return { told, batcher, ask: (user = "ada") => batcher.ask(request(user), 0, DEADLINE_MS) };
}

test("what is asked in one turn is sent once, and each gets its own answer", async () => {
  const run = vi.fn<RunBatch>(async () => [9, 0, 6_000, 8, 0, 12_000]);
  const { ask, told, batcher } = batcherOf(run);
  const [ada, bob] = await Promise.all([ask("ada"), ask("bob")]);
  expect([ada?.verdicts[0]?.remaining, bob?.verdicts[0]?.remaining]).toEqual([9, 8]);
  expect(run).toHaveBeenCalledTimes(1);
  expect(told).toEqual(["sent 2", "answered"]);
  expect(batcher.waiting).toBe(0);
});

describe("everybody is told, and nobody waits for ever,", () => {
  test.each<[string, RunBatch, RegExp]>([
    ["what cannot be sent", () => { throw new Error("no clock"); }, /no clock/], // biome-ignore format: a list
    ["what is refused", () => Promise.reject(new Error("READONLY")), /READONLY/],
    ["an answer that is no list", async () => "OK", /where a list was expected/],
  ])("of %s", async (_, run, message) => {
    const { ask, told, batcher } = batcherOf(run);
    const asked = await Promise.allSettled([ask("ada"), ask("bob")]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(told.find((text) => text.startsWith("failed"))).toMatch(message);
    expect(batcher.waiting).toBe(0);
  });

  test("of an answer that does not come in time, which is then dropped", async () => {
    let reply = (_: unknown) => {};
    const { ask, told } = batcherOf(() => new Promise((resolve) => (reply = resolve)));
    const asked = ask().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS + 20);
    expect(await asked).toMatch(/did not answer within 100 ms/);
    reply([9, 0, 6_000]);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(["sent 1", expect.stringContaining("failed"), "late"]);
  });
});

describe("a node that does not know the script", () => {
  const unknown = new Error("NOSCRIPT No matching script. Please use EVAL.");

  test("is sent it whole", async () => {
    const commands: string[] = [];
    const { ask, told } = batcherOf(async (command) => {
      commands.push(command);
      if (command === "EVALSHA") throw unknown;
      return [9, 0, 6_000];
    });
    expect((await ask()).verdicts[0]?.remaining).toBe(9);
    expect(commands).toEqual(["EVALSHA", "EVAL"]);
    expect(told).toEqual(["sent 1", "answered"]);
  });

  test("is sent nothing once the deadline has passed", async () => {
    let refuse = (_: unknown) => {};
    const run = vi.fn<RunBatch>(() => new Promise((_, reject) => (refuse = reject)));
    const { ask } = batcherOf(run);
    const asked = ask().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS + 20);
    refuse(unknown);
    await vi.advanceTimersByTimeAsync(0);
    expect(await asked).toMatch(/did not answer/);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
