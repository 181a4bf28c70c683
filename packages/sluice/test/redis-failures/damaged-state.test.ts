/** State that is not what the script wrote: it never makes the script fail or run on, nor admit more than the limit. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ALGORITHM_NAMES, type AlgorithmName } from "../../src/algorithm/registry.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { createSluice } from "../../src/limiter/sluice.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import { manualClock } from "../../src/testing/manual-clock.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
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
    expect([expected, 100]).toContain((await limiter.peek({ user: "1" })).remaining);
    expect(reasonsOf(watched.errors)).toEqual({});
  });
});

async function damageKey({ server }: Trial, bytes: string): Promise<void> {
  const [key] = (await server.command("KEYS", "*")) as string[];
  const script = `local bytes = redis.call("GET", KEYS[1]) redis.call("SET", KEYS[1], ${bytes}, "KEEPTTL")`;
  await server.command("EVAL", script, "1", key!);
}

/** What stands for a state is binary, and what a test sends is text. */
const READ = `local text = ""
  for byte in redis.call("GET", KEYS[1]):gmatch(".") do text = text .. ("%02x"):format(byte:byte()) end
  return text`;
const WRITE = `local bytes = ARGV[1]:gsub("..", function(hex) return string.char(tonumber(hex, 16)) end)
  redis.call("SET", KEYS[1], bytes, "KEEPTTL")`;

const LIMIT = 5;
const SPAN_MS = 10_000;
const PRECISION_MS = 2_500;
const START_MS = 1_592_171_101_900;
const SECOND = 1_000;

/** How much of the limit may be admitted within a span, and how long a refused request may be told to wait. */
const BOUNDS: Readonly<Record<AlgorithmName, { readonly admitted: number; readonly waitMs: number }>> = {
  "sliding-log": { admitted: LIMIT, waitMs: SPAN_MS },
  "sliding-window": { admitted: 2 * LIMIT, waitMs: SPAN_MS },
  /** What looks like a step of the clock moves a window, and the next is aligned again. */
  "fixed-window": { admitted: 3 * LIMIT, waitMs: SPAN_MS },
  "sliding-counter": { admitted: 2 * LIMIT, waitMs: 2 * SPAN_MS },
  gcra: { admitted: 2 * LIMIT, waitMs: SPAN_MS },
  ar1: { admitted: 2 * LIMIT, waitMs: Number.POSITIVE_INFINITY },
};

const EDGES = [
  0, -0, 1, -1, 0.5, 2.5, 4, 5, 6, 30, 1e6, -1e6, 1e15, 2 ** 53, 2 ** 53 + 2, 2 ** 56, 1e300, -1e300, 5e-324,
  Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY,
  START_MS * 1000, START_MS * 1000 + 2_000_000, START_MS * 1000 + 1e13,
]; // biome-ignore format: one thought

/** What is done to the bytes of a state. As data, so that a failing case can be read. */
type Damage =
  | { readonly bytes: readonly number[] }
  | { readonly flipped: readonly number[] }
  | { readonly numbers: readonly (readonly [place: number, number: number])[] }
  | { readonly swapped: readonly (readonly [place: number, place: number])[] };

const list = <Item>(item: fc.Arbitrary<Item>, maxLength: number) =>
  fc.array(item, { minLength: 1, maxLength });
const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ bytes: list(fc.nat({ max: 255 }), 200) }),
  fc.record({ flipped: list(fc.nat(), 8) }),
  fc.record({ numbers: list(fc.tuple(fc.nat(), fc.constantFrom(...EDGES)), 6) }),
  fc.record({ swapped: list(fc.tuple(fc.nat(), fc.nat()), 6) }),
);

function damaged(state: Buffer, damage: Damage): Buffer {
  const bytes = Buffer.from(state);
  const offsetOf = (place: number) => 8 * (place % Math.floor(bytes.length / 8));
  if ("bytes" in damage) return bytes.map((_, at) => damage.bytes[at % damage.bytes.length]!) as Buffer;
  if ("flipped" in damage) {
    for (const bit of damage.flipped) bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7);
  } else if ("numbers" in damage) {
    for (const [place, number] of damage.numbers) bytes.writeDoubleLE(number, offsetOf(place));
  } else {
    for (const [one, other] of damage.swapped) {
      const [a, b] = [bytes.readDoubleLE(offsetOf(one)), bytes.readDoubleLE(offsetOf(other))];
      bytes.writeDoubleLE(b, offsetOf(one));
      bytes.writeDoubleLE(a, offsetOf(other));
    }
  }
  return bytes;
}

const move = fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: SPAN_MS / 2 }));
const trials = fc.record({
  before: fc.array(fc.tuple(move, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 12 }),
  damage: damages,
  after: fc.array(move, { minLength: 10, maxLength: 30 }),
});

describe.each(ALGORITHM_NAMES)("any damage: %s", (algorithm) => {
  const RUNS = 150;
  let trial: Trial;
  let client: AnyRedisClient;
  beforeAll(async () => {
    trial = await startTrial();
    client = (await trial.connect(CLIENTS[0]!)).client as AnyRedisClient;
  });
  afterAll(() => trial.stop());

  const precision = ["sliding-window", "ar1"].includes(algorithm) ? `:${PRECISION_MS}ms` : "";
  const rule = `${LIMIT}/${SPAN_MS}ms${precision} ${algorithm}`;
  const { admitted: most, waitMs } = BOUNDS[algorithm];

  test("answers within bounds, admits no more than from a fresh start, and heals", async () => {
    let tried = 0;
    const property = fc.asyncProperty(trials, async ({ before, damage, after }) => {
      const clock = manualClock(1000 * START_MS);
      const store = redisStore(client, { clock, deadlineMs: 30_000, onFailure: "throw" });
      const namespace = freshNamespace();
      const limiter = createSluice({ namespace, store }).limit(rule);
      for (const [ms, cost] of before) {
        clock.advance(ms);
        await limiter.consume({}, { cost });
      }
      const [key] = (await trial.server.command("KEYS", `${namespace}:*`)) as string[];
      if (key === undefined) return;
      const state = Buffer.from(String(await trial.server.command("EVAL", READ, "1", key)), "hex");
      await trial.server.command("EVAL", WRITE, "1", key, damaged(state, damage).toString("hex"));
      tried += 1;

      const admissions: number[] = [];
      for (const ms of after) {
        clock.advance(ms);
        for (const ask of [() => limiter.peek(), () => limiter.consume(), () => limiter.consume()]) {
          const decision = await ask();
          expect(decision.remaining).toBeGreaterThanOrEqual(0);
          expect(decision.remaining).toBeLessThanOrEqual(LIMIT);
          expect(decision.retryAfterMs).toBeGreaterThanOrEqual(decision.allowed ? 0 : 1);
          expect(decision.retryAfterMs).toBeLessThanOrEqual(waitMs + SECOND);
          expect(decision.resetAfterMs).toBeGreaterThanOrEqual(0);
          if (decision.allowed && ask.toString().includes("consume")) admissions.push(clock() / 1000);
        }
      }
      const within = admissions.map(
        (end) => admissions.filter((at) => at > end - SPAN_MS && at <= end).length,
      );
      expect(Math.max(0, ...within)).toBeLessThanOrEqual(most);

      clock.advance(100 * SPAN_MS);
      expect(await limiter.consume({}, { cost: LIMIT })).toMatchObject({ allowed: true, remaining: 0 });
      expect((await limiter.consume()).allowed).toBe(false);
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(tried).toBeGreaterThan(RUNS / 2);
  }, 60_000);

  test("a key that claims to live longer than it can is given its life again", async () => {
    const namespace = freshNamespace();
    const store = redisStore(client, { deadlineMs: 30_000, onFailure: "throw" });
    const limiter = createSluice({ namespace, store }).limit(`${LIMIT}/h ${algorithm}`);
    await limiter.consume();
    const [key] = (await trial.server.command("KEYS", `${namespace}:*`)) as string[];
    for (const livesUntil of [2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
      const bytes = Buffer.from(String(await trial.server.command("EVAL", READ, "1", key!)), "hex");
      bytes.writeDoubleLE(livesUntil);
      await trial.server.command("EVAL", WRITE, "1", key!, bytes.toString("hex"));
      await trial.server.command("PEXPIRE", key!, "60000");
      const { allowed, resetAfterMs } = await limiter.consume();
      expect(allowed).toBe(true);
      const lifeMs = Number(await trial.server.command("PTTL", key!));
      expect(lifeMs).toBeGreaterThanOrEqual(resetAfterMs);
    }
  });
});
