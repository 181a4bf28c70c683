/** Sluice as the store of express-rate-limit and of hono-rate-limiter, which count hits and decide by themselves. */
import type { AlgorithmName } from "../algorithm/registry.js";
import type { Decision } from "../decision/decision.js";
import { BadOption, shown } from "../errors.js";
import type { Limiter } from "../limiter/limiter.js";
import type { Sluice } from "../limiter/sluice.js";
import type { Facts } from "../plan/facts.js";
import {
  checkedManner,
  checkNumbers,
  type DropInOptions,
  LARGEST_COUNT,
  type Manner,
  openSluice,
  ruleOfCall,
} from "./call-rules.js";
import { factsOfHit, hitsOf } from "./hit-count.js";

const ALGORITHMS = ["sliding-window", "fixed-window", "sliding-counter"] as const;

export interface ExpressRateLimitStoreOptions extends DropInOptions {
  /** "sliding-window" when left out. */
  readonly algorithm?: (typeof ALGORITHMS)[number] | undefined;
}

export interface HitInfo {
  readonly totalHits: number;
  readonly resetTime: Date;
}

/** The `Store` of both middlewares. There is no `resetAll`: a store cannot know everybody it has counted. */
export interface ExpressRateLimitStore {
  readonly localKeys: boolean;
  readonly prefix: string;
  init(options: { readonly windowMs: number }): void;
  get(key: string): Promise<HitInfo | undefined>;
  increment(key: string): Promise<HitInfo>;
  decrement(key: string): Promise<void>;
  resetKey(key: string): Promise<void>;
  shutdown(): Promise<void>;
}

const MIDDLEWARE = "express-rate-limit";
/** So many hits of one key, and so many keys, can be decremented. */
const MOST_HITS = 1_000;

export function expressRateLimitStore(options: ExpressRateLimitStoreOptions = {}): ExpressRateLimitStore {
  const manner = checkedManner("expressRateLimitStore", options, "sliding-window");
  if (options.algorithm !== undefined) checkCounts(options.algorithm);
  return new SluiceHitStore(options, manner);
}

/** The middleware names the class in its warnings. */
class SluiceHitStore implements ExpressRateLimitStore {
  /** Whether no other store can count the same keys. */
  readonly localKeys: boolean;
  private readonly namespace: string;
  private readonly sluice: Sluice;
  private readonly limiter: Limiter;
  /** By key, the newest last: a decrement gives back a hit that was counted here, and no other. */
  private readonly hits = new Map<string, Decision[]>();
  /** A hit does not say which middleware it comes from, so that only one window can be counted. */
  private readonly windows = new Set<number>();

  constructor(
    options: DropInOptions,
    private readonly manner: Manner,
  ) {
    this.localKeys = options.store === undefined;
    this.namespace = options.namespace ?? MIDDLEWARE;
    this.sluice = openSluice(MIDDLEWARE, options);
    this.limiter = this.sluice.limit(ruleOfCall);
  }

  /** Stores with one prefix count together. Other windows count apart. */
  get prefix(): string {
    return `${this.namespace}:${[...this.windows].join()}:`;
  }

  init({ windowMs }: { readonly windowMs: number }): void {
    this.windows.add(windowMs);
    checkNumbers(LARGEST_COUNT, this.onlyWindow(), this.manner);
  }

  async get(key: string): Promise<HitInfo | undefined> {
    const decision = await this.limiter.peek(this.facts(key));
    const totalHits = hitsOf(decision);
    return totalHits === 0 ? undefined : { totalHits, resetTime: inMs(decision.resetAfterMs) };
  }

  async increment(key: string): Promise<HitInfo> {
    const decision = await this.limiter.consume(this.facts(key));
    this.remember(key, decision);
    /** Nothing is counted while a failure policy allows everything; yet there was this hit. */
    const totalHits = Math.max(1, hitsOf(decision));
    return { totalHits, resetTime: inMs(decision.resetAfterMs) };
  }

  async decrement(key: string): Promise<void> {
    const hit = this.hits.get(key)?.pop();
    if (hit !== undefined) await this.limiter.refund(hit);
  }

  async resetKey(key: string): Promise<void> {
    await this.limiter.reset(this.facts(key));
  }

  async shutdown(): Promise<void> {
    await this.sluice.close();
  }

  /** A middleware decrements soon after it incremented or never, so that the oldest keys may be forgotten. */
  private remember(key: string, decision: Decision): void {
    const hits = this.hits.get(key) ?? [];
    this.hits.delete(key);
    this.hits.set(key, hits);
    hits.push(decision);
    if (hits.length > MOST_HITS) hits.shift();
    if (this.hits.size > MOST_HITS) this.hits.delete(this.hits.keys().next().value!);
  }

  private facts(key: string): Facts {
    return factsOfHit({ key }, this.onlyWindow(), this.manner);
  }

  /** Said at every hit too, since express-rate-limit only logs what `init` throws. */
  private onlyWindow(): number {
    const [windowMs, other] = this.windows;
    if (other !== undefined) {
      throw new BadOption(
        `One expressRateLimitStore was given to limiters with windows of ${windowMs} and ${other} ms, and cannot ` +
          "tell their hits apart. Create one for each limiter.",
      );
    }
    if (typeof windowMs === "number" && windowMs > 0) return windowMs;
    throw new BadOption(
      windowMs === undefined
        ? "An expressRateLimitStore learns its window from the limiter that it is given to as `store`."
        : `windowMs is a number of milliseconds above 0, and this is ${shown(windowMs)}.`,
    );
  }
}

/** The clock of this process only turns a duration into a Date, and the middleware turns it back. */
function inMs(duration: number): Date {
  return new Date(Date.now() + duration);
}

function checkCounts(algorithm: AlgorithmName): void {
  if ((ALGORITHMS as readonly string[]).includes(algorithm)) return;
  throw new BadOption(
    `express-rate-limit and hono-rate-limiter do not tell their stores the limit, and so all hits are counted. ` +
      `Of the algorithms, ${ALGORITHMS.join(", ")} can do that; ${algorithm} cannot.`,
  );
}
