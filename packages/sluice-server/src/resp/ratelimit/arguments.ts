/** What a RATELIMIT command asks: `key period capacity [key period capacity ...] [timestamp]`. */
import type { Plan } from "sluice";
import { quoted, ReplyError, wrongNumberOfArguments } from "../commands/command.js";
import { isWholeNumber } from "../wire/whole-number.js";
import { type Bucket, type Buckets, shapeOf } from "./bucket.js";
import { keyOfBytes } from "./key-of-bytes.js";

export interface RateLimitRequest {
  readonly plan: Plan;
  /** One for each check of the plan. */
  readonly buckets: readonly Bucket[];
  /** In microseconds; undefined for now. */
  readonly instant: number | undefined;
}

/** `args` begin with the name of the command. Throws ReplyError on anything that is wrong with them. */
export function readRequest(args: readonly string[], known: Buckets): RateLimitRequest {
  if (args.length === 4) {
    const bucket = known.find(args[2]!, args[3]!);
    return {
      plan: { shape: bucket.shape, identities: [keyOfBytes(args[1]!)], cost: 1 },
      buckets: [bucket],
      instant: undefined,
    };
  }
  const keys = Math.floor((args.length - 1) / 3);
  const left = args.length - 1 - 3 * keys;
  if (keys === 0 || left === 2) throw wrongNumberOfArguments("RATELIMIT");
  const buckets: Bucket[] = [];
  const identities: string[] = [];
  for (let at = 1; at <= 3 * keys; at += 3) {
    buckets.push(known.find(args[at + 1]!, args[at + 2]!));
    identities.push(keyOfBytes(args[at]!));
  }
  if (new Set(identities).size < identities.length) {
    const twice = identities.findIndex((identity, index) => identities.indexOf(identity) !== index);
    throw new ReplyError(`ERR the key ${quoted(args[1 + 3 * twice]!)} is given twice`);
  }
  const shape = buckets.length === 1 ? buckets[0]!.shape : shapeOf(buckets.map(({ counter }) => counter));
  return {
    plan: { shape, identities, cost: 1 },
    buckets,
    instant: left === 1 ? instantOf(args.at(-1)!) : undefined,
  };
}

/** Whole microseconds of a timestamp in nanoseconds, whose digits are more than a number holds. */
function instantOf(timestamp: string): number {
  if (!isWholeNumber(timestamp)) {
    throw new ReplyError("ERR the timestamp is not an integer or out of range");
  }
  const instant = Number(timestamp.slice(0, -3));
  if (timestamp.startsWith("-") || !Number.isSafeInteger(instant)) {
    throw new ReplyError("ERR the timestamp is before 1970 or after 2255");
  }
  return instant;
}
