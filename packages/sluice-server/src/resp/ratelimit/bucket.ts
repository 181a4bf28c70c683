/** A period and a capacity as a store counts them: in GCRA, with nanoseconds of debt instead of requests. */
import { ALGORITHMS, type Counter, type Shape } from "sluice";
import { ReplyError } from "../commands/command.js";
import { bytesOf, ownCopy } from "../wire/bytes.js";
import { wholeNumber } from "../wire/whole-number.js";
import { keyOfBytes } from "./key-of-bytes.js";

/** Both in nanoseconds. */
export interface Bucket {
  readonly period: number;
  readonly capacity: number;
  readonly counter: Counter;
  /** Of a command that asks for this bucket alone. */
  readonly shape: Shape;
}

const NANOSECONDS_PER_MICROSECOND = 1_000;
/** A client may send any number of numbers. */
const MOST_KNOWN = 1_000;

/** Makes buckets of arguments, and remembers those that are asked for again and again. */
export class Buckets {
  private readonly known = new Map<string, Bucket>();
  private latest: { readonly period: string; readonly capacity: string; readonly bucket: Bucket } | undefined;
  private readonly prefix: string;

  constructor(namespace: string) {
    this.prefix = `${keyOfBytes(bytesOf(namespace))}:{ratelimit:`;
  }

  /** Throws ReplyError on what is no period or no capacity. */
  find(period: string, capacity: string): Bucket {
    const { latest } = this;
    if (latest !== undefined && latest.period === period && latest.capacity === capacity)
      return latest.bucket;
    const name = `${period},${capacity}`;
    let bucket = this.known.get(name);
    if (bucket === undefined) {
      bucket = this.create(numberOf("period", period), numberOf("capacity", capacity));
      if (this.known.size >= MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
      this.known.set(ownCopy(name), bucket);
    }
    this.latest = { period, capacity, bucket };
    return bucket;
  }

  private create(period: number, capacity: number): Bucket {
    if (period <= 0) throw new ReplyError("ERR the period must be above 0");
    if (capacity < 0) throw new ReplyError("ERR the capacity must not be negative");
    if (capacity < period) throw new ReplyError("ERR the capacity must not be below the period");
    const counter = this.counterOf(period, capacity);
    return { period, capacity, counter, shape: shapeOf([counter]) };
  }

  /** Keys and id are the same whatever the numbers, so that a key asked with other numbers keeps its state. */
  private counterOf(period: number, capacity: number): Counter {
    const algorithm = ALGORITHMS.gcra;
    const suffix = `}:${algorithm.name}${algorithm.stateVersion}`;
    return {
      id: this.prefix + suffix,
      algorithm,
      quota: { limit: 1, span: Math.ceil(period / NANOSECONDS_PER_MICROSECOND) },
      params: { price: period, drain: NANOSECONDS_PER_MICROSECOND, capacity, unit: 1 },
      size: capacity,
      prefix: this.prefix,
      suffix,
    };
  }
}

/** Refused when any is over. What a store cannot decide is told to the command, which then goes by the policy. */
export function shapeOf(counters: readonly Counter[]): Shape {
  return {
    counters,
    tree: counters.length === 1 ? 0 : { kind: "or", parts: counters.map((_, check) => check) },
    countRefused: false,
    labels: [],
    checkOfLimit: [],
    failurePolicy: { onFailure: "throw" },
  };
}

function numberOf(what: string, text: string): number {
  const value = wholeNumber(text);
  if (value === undefined) throw new ReplyError(`ERR the ${what} is not an integer or out of range`);
  return value;
}
