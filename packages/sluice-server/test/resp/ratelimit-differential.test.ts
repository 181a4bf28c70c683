/** RATELIMIT with random keys, numbers and timestamps, against the definition in big integers. */
import { describe, expect, test } from "vitest";
import { type Random, seededRandom } from "../../../sluice/src/testing/random.js";
import { type KeyAsked, RateLimitOracle } from "./ratelimit-oracle.js";
import { RawClient } from "./raw-client.js";
import { ATOMIC_BACKENDS } from "./serve.js";

const COMMANDS = 10_000;
/** Exact to the nanosecond up to here. */
const LARGEST_EXACT = 2 ** 53 - 1;
const SEEDS = [1, 2, 3];

interface Asked {
  readonly keys: readonly KeyAsked[];
  readonly timestamp: bigint;
}

/** Sizes of periods. A key is asked with periods of one size, or a long one would refuse all that come after. */
const SIZES = [1_000, 1_000_000, 1_000_000_000, 2 ** 40, 2 ** 52];

/** Time goes by in steps of the size of the periods asked for, for a while of one size, then of another. */
function randomCommands(random: Random, count: number): readonly Asked[] {
  let now = BigInt(random.pick([0, 1_700_000_000])) * 1_000_000_000n;
  let size = SIZES[0]!;
  return Array.from({ length: count }, () => {
    if (random.chance(0.02)) size = random.pick(SIZES);
    now += randomStep(random, size);
    if (now < 0n) now = 0n;
    return { keys: randomKeys(random, size), timestamp: now };
  });
}

/** Now and then back. */
function randomStep(random: Random, size: number): bigint {
  const far = random.integer(0, random.pick([0, 999, size / 100, size / 10]));
  if (!random.chance(0.02)) return BigInt(Math.floor(far));
  return -BigInt(random.integer(0, random.pick([1_000_000, 1_000_000_000, 2 ** 40])));
}

function randomKeys(random: Random, usual: number): readonly KeyAsked[] {
  const count = random.pick([1, 1, 1, 2, 3, 5]);
  const names = new Set(
    Array.from({ length: count }, () => {
      const size = random.chance(0.9) ? usual : random.pick(SIZES);
      return `${size}:${random.integer(1, 6)}`;
    }),
  );
  return [...names].map((key) => {
    const period = random.integer(1, Number(key.split(":")[0]));
    const most = period * random.integer(1, random.pick([1, 5, 100])) + random.integer(0, period);
    return { key, period: BigInt(period), capacity: BigInt(Math.min(LARGEST_EXACT, most)) };
  });
}

function lineOf({ keys, timestamp }: Asked): string {
  const triples = keys.map(({ key, period, capacity }) => `${key} ${period} ${capacity}`);
  return `RATELIMIT ${triples.join(" ")} ${timestamp}\r\n`;
}

describe.each(ATOMIC_BACKENDS)("on $name", ({ serve }) => {
  test.each(SEEDS)("no difference, from seed %i", async (seed) => {
    const commands = randomCommands(seededRandom(seed), COMMANDS);
    const oracle = new RateLimitOracle();
    const served = await serve();
    using client = new RawClient(served.port);
    client.send(commands.map(lineOf).join(""));
    let refused = 0;
    for (const command of commands) {
      const expected = oracle.ask(command.keys, command.timestamp).map(Number);
      expect(await client.reply(), lineOf(command)).toEqual(expected);
      if (expected[0] === 0) refused += 1;
    }
    expect(refused).toBeGreaterThan(commands.length / 5);
    expect(refused).toBeLessThan((commands.length * 4) / 5);
    await served.close();
  });
});

/** Two of a key in a row, so that one rounding is seen and not what many add up to. */
test.each(ATOMIC_BACKENDS)("beyond 2^53 to the microsecond, on $name", async ({ serve }) => {
  const random = seededRandom(4);
  const served = await serve();
  using client = new RawClient(served.port);
  for (let number = 0; number < 300; number += 1) {
    const oracle = new RateLimitOracle();
    const capacity = BigInt(random.integer(2 ** 45, 2 ** 52)) * 256n + BigInt(random.integer(0, 255));
    const period = capacity / BigInt(random.integer(2, 1_000_000));
    for (const timestamp of [0n, 5_000n]) {
      const asked = { keys: [{ key: `large${number}`, period, capacity }], timestamp };
      client.send(lineOf(asked));
      const reply = (await client.reply()) as readonly number[];
      const expected = oracle.ask(asked.keys, timestamp).map(Number);
      expect(reply.slice(0, 2)).toEqual(expected.slice(0, 2));
      for (const place of [2, 3])
        expect(Math.abs(reply[place]! - expected[place]!)).toBeLessThanOrEqual(1_000);
    }
  }
  await served.close();
});
