/** Asks Redis, or says at once why it cannot be asked. */
import { type Clock, checkedClock } from "../../clock.js";
import { keysOf, type Plan } from "../../plan/plan.js";
import type { Operation } from "../evaluate.js";
import {
  type AskOptions,
  type Part,
  type Partition,
  type PartVerdict,
  type Place,
  partsBy,
} from "../part.js";
import type { BreakerState } from "../wrap/breaker.js";
import { type FailureReason, StoreUnavailable } from "../wrap/store-unavailable.js";
import { Batcher } from "./batcher.js";
import type { RedisClient } from "./client.js";
import { encode } from "./message.js";
import { runScript } from "./run-script.js";
import { slotOf } from "./slot.js";
import { SlotBreakers } from "./slot-breakers.js";

declare const performance: { now(): number };

export interface CallOptions {
  readonly clock: Clock | undefined;
  readonly deadlineMs: number;
  readonly maxWaiting: number;
  readonly onError: ((error: StoreUnavailable) => void) | undefined;
  readonly onBatch: ((size: number) => void) | undefined;
}

export interface RedisHealth {
  readonly breaker: BreakerState;
  /** Calls that have no answer yet. */
  readonly waiting: number;
  /** Script calls so far. */
  readonly batches: number;
  readonly failures: Readonly<Record<FailureReason, number>>;
  /** Answers that came after their deadline, and were dropped. */
  readonly lateAnswers: number;
}

/** Redis counts a key's life by its own clock, so that under another clock it must not be short. */
const KEEP_UNDER_ANOTHER_CLOCK_MS = 3_600_000;

/**
 * Calls that are not sent share an error for so long: one with a stack of its own for each would cost several times
 * what Redis's answers do, in an outage of all times.
 */
const ONE_ERROR_FOR_MS = 1_000;

/** A plan in several parts takes two round trips, three where refusals count, which share its deadline. */
const SHARE_OF_HOLD = 0.5;
const SHARE_OF_SETTLING = 0.25;

const NO_OPTIONS: AskOptions = {};

export class RedisCalls implements Partition {
  private readonly breakers = new SlotBreakers();
  private readonly failures: Record<FailureReason, number> = {
    deadline: 0,
    "not connected": 0,
    overloaded: 0,
    resting: 0,
    refused: 0,
    unreadable: 0,
  };
  readonly onlyPlace: Place | undefined;
  readonly deadlineMs: number;
  private lateAnswers = 0;
  private batches = 0;
  private readonly batcher: Batcher;
  private readonly places = new Map<number, Place>();
  private wasReady = false;
  /** Why calls were not sent lately. */
  private latest: StoreUnavailable | undefined;
  private latestUntil = 0;

  constructor(
    private readonly client: RedisClient,
    private readonly options: CallOptions,
  ) {
    this.deadlineMs = options.deadlineMs;
    const clock = options.clock === undefined ? undefined : checkedClock(options.clock);
    this.batcher = new Batcher(
      (command, requests) => {
        const timing = clock && { now: clock(), keepMs: KEEP_UNDER_ANOTHER_CLOCK_MS };
        return runScript(client, command, encode(requests, timing));
      },
      {
        sent: (requests) => {
          this.batches += 1;
          tell(options.onBatch, requests);
        },
        answered: (slot) => this.breakers.answered(slot),
        failed: (slot, error) => {
          this.breakers.failed(slot, performance.now());
          this.report(error);
        },
        unreadable: (error) => this.report(error),
        late: (slot) => {
          this.lateAnswers += 1;
          this.breakers.answered(slot);
        },
      },
    );
    this.onlyPlace = client.isCluster ? undefined : this.placeOf(0);
    this.wasReady = client.connection() === "ready";
  }

  /** When it makes sense to come back. */
  get retryAfterMs(): number {
    return Math.max(this.deadlineMs, this.breakers.restsFor(performance.now()));
  }

  health(): RedisHealth {
    return {
      breaker: this.breakers.state,
      waiting: this.batcher.waiting,
      batches: this.batches,
      failures: { ...this.failures },
      lateAnswers: this.lateAnswers,
    };
  }

  partsOf(plan: Plan): readonly Part[] {
    const slots = keysOf(plan).map((key) => (this.client.isCluster ? slotOf(key) : 0));
    return partsBy(plan, (check) => this.placeOf(slots[check]!));
  }

  private placeOf(slot: number): Place {
    let place = this.places.get(slot);
    if (place === undefined) {
      place = {
        decide: (plan) => this.obstacle(slot) ?? this.send(slot, "decide", plan, NO_OPTIONS),
        ask: (operation, part, options) => this.ask(slot, operation, part, options),
      };
      this.places.set(slot, place);
    }
    return place;
  }

  private ask(
    slot: number,
    operation: Operation,
    plan: Plan,
    options: AskOptions = NO_OPTIONS,
  ): Promise<PartVerdict> {
    const obstacle = options.settles ? undefined : this.obstacle(slot);
    return obstacle === undefined ? this.send(slot, operation, plan, options) : Promise.reject(obstacle);
  }

  private send(
    slot: number,
    operation: Operation,
    plan: Plan,
    { given, settles = false }: AskOptions,
  ): Promise<PartVerdict> {
    const deadlineMs = plan.deadlineMs ?? plan.shape.failurePolicy.deadlineMs ?? this.deadlineMs;
    const share = operation === "hold" ? SHARE_OF_HOLD : settles ? SHARE_OF_SETTLING : 1;
    return this.batcher.ask({ operation, plan, given }, slot, Math.ceil(deadlineMs * share));
  }

  /** Why Redis cannot be asked now; reported. */
  private obstacle(slot: number): StoreUnavailable | undefined {
    const connection = this.client.connection();
    if (connection === "ready") this.wasReady = true;
    else if (connection === "closed" || this.wasReady || this.breakers.state !== "closed") {
      return this.notAsked("not connected", "The Redis client is not connected.");
    }
    const { maxWaiting } = this.options;
    if (this.batcher.waiting >= maxWaiting) {
      return this.notAsked("overloaded", `${maxWaiting} calls wait for Redis already.`);
    }
    if (this.breakers.areClosed || this.breakers.allows(slot, performance.now())) return undefined;
    return this.notAsked("resting", "Redis failed several times in a row, and is not asked for a moment.");
  }

  private notAsked(reason: FailureReason, message: string): StoreUnavailable {
    const now = performance.now();
    if (this.latest?.reason !== reason || now >= this.latestUntil) {
      this.latest = new StoreUnavailable(reason, message);
      /** It is nobody's in particular, and so is not where the first of them was called. */
      this.latest.stack = `${this.latest.name}: ${message}`;
      this.latestUntil = now + ONE_ERROR_FOR_MS;
    }
    return this.report(this.latest);
  }

  private report(error: StoreUnavailable): StoreUnavailable {
    this.failures[error.reason] += 1;
    tell(this.options.onError, error);
    return error;
  }
}

/** A hook that throws must not take anyone's answer away. */
function tell<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    const told: unknown = hook?.(event);
    if (told instanceof Promise) told.catch(() => {});
  } catch {}
}
