/** What one key of a limit weighs, in the memory store and in Redis: estimates from measurements, in bytes. */
import type { AlgorithmName, Limit } from "sluice";

/** A key that was charged once, and one that uses all of its limit. */
export interface KeyWeight {
  readonly least: number;
  readonly most: number;
}

/** What an entry weighs with a key of usual length and without records. Measured on Node 20; see docs/reference/memory-store.md. */
const ENTRY_BYTES: Readonly<Record<AlgorithmName, number>> = {
  gcra: 290,
  "fixed-window": 265,
  "sliding-counter": 275,
  ar1: 270,
  "sliding-log": 330,
  "sliding-window": 310,
};

/** What Redis stores for a key besides its name and its value: two table entries, an object, a life. Measured on Redis 7. */
const REDIS_KEY_BYTES = 130;

/** The numbers of each state, of 8 bytes each, as the algorithm's Lua half packs them. */
const REDIS_STATE_BYTES: Readonly<Record<AlgorithmName, number>> = {
  gcra: 48,
  "fixed-window": 40,
  "sliding-counter": 48,
  ar1: 40,
  "sliding-log": 56,
  "sliding-window": 56,
};

/** A ring begins with so many records. */
const FIRST_RECORDS = 4;

export function memoryStoreWeight(limit: Limit): KeyWeight {
  return weigh(limit, ENTRY_BYTES[limit.algorithm]);
}

/** `keyLength` is that of the key as Redis knows it, in bytes. */
export function redisWeight(limit: Limit, keyLength: number): KeyWeight {
  return weigh(limit, REDIS_KEY_BYTES + keyLength + REDIS_STATE_BYTES[limit.algorithm]);
}

function weigh({ algorithm, quota }: Limit, base: number): KeyWeight {
  const { limit, span, precision = 1 } = quota;
  if (limit === 0) return { least: 0, most: 0 };
  if (algorithm === "sliding-log") return withRecords(base, 8, limit);
  if (algorithm === "sliding-window") {
    return withRecords(base, 16, Math.min(limit, Math.ceil(span / precision) + 1));
  }
  return { least: base, most: base };
}

function withRecords(base: number, bytesEach: number, most: number): KeyWeight {
  return { least: base + bytesEach * Math.min(FIRST_RECORDS, most), most: base + bytesEach * most };
}
