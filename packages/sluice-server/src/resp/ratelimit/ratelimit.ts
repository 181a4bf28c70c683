/** RATELIMIT: a decision on keys that need no configuration, for any Redis client. */
import type { Answer, Plan, PlanVerdict, Store } from "sluice";
import { StoreUnavailable } from "sluice/redis";
import { type Command, ReplyError } from "../commands/command.js";
import { integerText } from "../wire/integer-text.js";
import { type RateLimitRequest, readRequest } from "./arguments.js";
import { type Bucket, Buckets } from "./bucket.js";
import { apartInMemory, decideAtOn, type StoreAt } from "./decide-at.js";

export interface RateLimitOptions {
  readonly namespace: string;
  readonly store: Store;
  /** Answers commands with a timestamp; a memory store of their own when left out. */
  readonly storeAt?: StoreAt | undefined;
  /** Called with every decision. */
  readonly onRateLimit?: ((verdict: PlanVerdict) => void) | undefined;
}

/** A command with a timestamp travels alone, where others share a script call. */
const WEIGHT_OF_TIMESTAMP = 8;

/** Each key is a decision of its own to the store. */
function weightOf(args: readonly string[]): number {
  const keys = Math.floor((args.length - 1) / 3);
  return args.length % 3 === 2 ? keys + WEIGHT_OF_TIMESTAMP : keys;
}

export function rateLimitCommand(options: RateLimitOptions): Command {
  const { namespace, store, storeAt = apartInMemory, onRateLimit } = options;
  const known = new Buckets(namespace);
  const decideAt = decideAtOn(storeAt);
  const ask = ({ plan, instant }: RateLimitRequest) =>
    instant === undefined ? store.decide(plan) : decideAt(plan, instant);

  function reply(buckets: readonly Bucket[], verdict: PlanVerdict): string {
    onRateLimit?.(verdict);
    return replyOf(buckets, verdict);
  }

  return {
    name: "RATELIMIT",
    arity: -4,
    summary: "Asks whether all keys have a period left, and takes it from each if so",
    keys: [1, -3, 3],
    weightOf,
    check: (args) => void readRequest(args, known),
    run(args) {
      const request = readRequest(args, known);
      const { plan, buckets } = request;
      const answer = ask(request);
      if (!(answer instanceof Promise)) return reply(buckets, answer);
      return answer
        .catch((error: unknown) => byPolicy(store, plan, error))
        .then((verdict) => reply(buckets, verdict));
    },
  };
}

/** All durations are of after the charge, which a store has made when it answers. */
function replyOf(buckets: readonly Bucket[], { allowed, verdicts }: PlanVerdict): string {
  let remaining = Number.POSITIVE_INFINITY;
  let readyAfter = 0;
  let resetAfter = 0;
  for (let index = 0; index < buckets.length; index += 1) {
    const { period, capacity } = buckets[index]!;
    const available = Math.max(0, Math.min(capacity, verdicts[index]!.remaining));
    remaining = Math.min(remaining, Math.floor(available / period));
    readyAfter = Math.max(readyAfter, period - available);
    resetAfter = Math.max(resetAfter, capacity - available);
  }
  const left = allowed ? integerText(remaining) : "0";
  const [ready, reset] = [integerText(readyAfter), integerText(resetAfter)];
  return `*4\r\n:${allowed ? 1 : 0}\r\n:${left}\r\n:${ready}\r\n:${reset}\r\n`;
}

/** As far as a store has a policy for when it cannot answer. */
interface Guarded {
  readonly guard: { decide(plan: Plan, error: unknown): Answer<PlanVerdict> };
}

/** A key that holds something else is the caller's to know, whatever the policy; all else goes by the policy. */
function byPolicy(store: Store, plan: Plan, error: unknown): Answer<PlanVerdict> {
  if (!(error instanceof StoreUnavailable)) throw error;
  if (error.reason === "unreadable" && error.message.includes("WRONGTYPE")) {
    throw new ReplyError("WRONGTYPE Operation against a key holding the wrong kind of value");
  }
  if (!("guard" in store)) throw error;
  const shape = { ...plan.shape, failurePolicy: {} };
  return (store as Store & Guarded).guard.decide({ ...plan, shape }, error);
}
