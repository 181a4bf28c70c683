/** Sluice as the store of @fastify/rate-limit: a limit of its own for each route, that decides by itself. */
import { BadOption } from "../errors.js";
import type { Limiter } from "../limiter/limiter.js";
import type { Sluice } from "../limiter/sluice.js";
import {
  checkedManner,
  checkNumbers,
  countOf,
  type DropInOptions,
  factsOfCall,
  type Manner,
  openSluice,
  ruleOfCall,
  type Who,
} from "./call-rules.js";
import { factsOfHit, hitsOf } from "./hit-count.js";

export type FastifyRateLimitStoreOptions = DropInOptions;

interface Count {
  /** Above `max` when refused. */
  readonly current: number;
  /** In milliseconds. */
  readonly ttl: number;
}

type Callback = (error: Error | null, count?: Count) => void;

export interface FastifyRateLimitStore {
  incr(key: string, callback: Callback, timeWindow: number, max: number): void;
  /** What `incr` would say; counts nothing. */
  read(key: string, callback: Callback, timeWindow: number, max: number): void;
  child(params: object): FastifyRateLimitStore;
}

/** What the plugin tells its store: its own options, and for a child those of the route as well. */
interface Params {
  readonly global?: unknown;
  readonly max?: unknown;
  readonly timeWindow?: unknown;
  readonly ban?: unknown;
  readonly continueExceeding?: unknown;
  readonly exponentialBackoff?: unknown;
  readonly groupId?: unknown;
  readonly routeInfo?: unknown;
}

/** The plugin makes the store by itself: `store: fastifyRateLimitStore()`. */
export function fastifyRateLimitStore(
  options: FastifyRateLimitStoreOptions = {},
): new (
  params?: object,
) => FastifyRateLimitStore {
  const manner = checkedManner("fastifyRateLimitStore", options);
  return class extends RouteStore {
    constructor(params: object = {}) {
      super(openSluice("fastify-rate-limit", options), manner, params);
    }
  };
}

class RouteStore implements FastifyRateLimitStore {
  private readonly limiter: Limiter;
  /** Counted only where a client is banned after so many. */
  private readonly refusals: Limiter | undefined;
  private readonly route: string;

  constructor(
    private readonly sluice: Sluice,
    private readonly manner: Manner,
    params: Params,
  ) {
    checkParams(params, manner);
    this.route = routeOf(params);
    this.limiter = sluice.limit(ruleOfCall, { countRefused: params.continueExceeding === true });
    const bans = typeof params.ban === "number" && params.ban >= 0;
    this.refusals = bans ? sluice.limit(ruleOfCall, { key: "refused" }) : undefined;
  }

  incr(key: string, callback: Callback, timeWindow: number, max: number): void {
    this.ask("consume", key, timeWindow, max).then((count) => callback(null, count), callback);
  }

  read(key: string, callback: Callback, timeWindow: number, max: number): void {
    this.ask("peek", key, timeWindow, max).then((count) => callback(null, count), callback);
  }

  child(params: object): FastifyRateLimitStore {
    return new RouteStore(this.sluice, this.manner, params);
  }

  private async ask(call: "consume" | "peek", key: string, timeWindow: number, max: number): Promise<Count> {
    if (max === Number.POSITIVE_INFINITY) return { current: 0, ttl: 0 };
    const who = { route: this.route, key };
    const decision = await this.limiter[call](factsOfCall(who, max, timeWindow, this.manner));
    const { allowed, remaining, retryAfterMs, resetAfterMs, policy } = decision;
    if (allowed) return { current: countOf(max) - remaining, ttl: resetAfterMs };
    /** Who is refused because the store is away has done nothing. */
    const refusals = policy === "deny" ? 0 : await this.refusalsOf(call, who, timeWindow);
    const ttl = Number.isFinite(retryAfterMs) ? retryAfterMs : timeWindow;
    return { current: max + Math.max(1, refusals), ttl };
  }

  private async refusalsOf(call: "consume" | "peek", who: Who, timeWindow: number): Promise<number> {
    if (this.refusals === undefined) return 0;
    const decision = await this.refusals[call](factsOfHit(who, timeWindow, " sliding-window"));
    return decision.policy === "deny" ? 0 : hitsOf(decision);
  }
}

/** Empty for the limit that all routes share. What `fastify.rateLimit()` makes has no method and no path. */
function routeOf({ groupId, routeInfo }: Params): string {
  if (groupId !== undefined) return `group ${String(groupId)}`;
  if (typeof routeInfo !== "object" || routeInfo === null) return "";
  const { method, url } = routeInfo as { readonly method?: unknown; readonly url?: unknown };
  return url === undefined ? "handler" : `${String(method)} ${String(url)}`;
}

/** What can be known when a route is defined is said then, and not at its first request. */
function checkParams(params: Params, manner: Manner): void {
  const { global, max, timeWindow, continueExceeding, exponentialBackoff, routeInfo } = params;
  if (exponentialBackoff === true && continueExceeding !== true) {
    throw new BadOption(
      "fastifyRateLimitStore has no exponentialBackoff. With continueExceeding, a client that goes on stays out.",
    );
  }
  if (continueExceeding === true && manner.endsWith("fixed-window")) {
    throw new BadOption(
      "With fixed-window every client begins anew at the window's end, and continueExceeding could do nothing: " +
        "choose another algorithm.",
    );
  }
  const isUsed = global !== false || routeInfo !== undefined;
  if (isUsed && typeof max === "number" && typeof timeWindow === "number") {
    checkNumbers(max, timeWindow, manner);
  }
}
