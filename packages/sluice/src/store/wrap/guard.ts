/** Answers in a store's place when it cannot. */
import type { Verdict } from "../../algorithm/algorithm.js";
import type { Clock } from "../../clock.js";
import type { OnFailure } from "../../plan/failure-policy.js";
import type { Plan } from "../../plan/plan.js";
import { type MemoryStore, memoryStore } from "../memory/memory-store.js";
import type { PlanVerdict, PolicyAnswer } from "../store.js";
import { StoreUnavailable } from "./store-unavailable.js";

declare function setImmediate(callback: () => void): unknown;

export interface GuardOptions {
  readonly clock: Clock | undefined;
  readonly onFailure: OnFailure;
  /** What "deny" tells a caller to wait: when the store may be asked again. */
  readonly retryAfterMs: () => number;
}

/** So many keys are counted in memory while the store is away. */
const MOST_FALLBACK_KEYS = 100_000;

/**
 * All answers take a turn of the event loop, as answers of a store do: who asks again and again, without waiting for
 * anything else, would otherwise keep the store's own answers from ever being read.
 */
export class Guard {
  private fallback: MemoryStore | undefined;

  constructor(private readonly options: GuardOptions) {}

  decide(plan: Plan, error: unknown): Promise<PlanVerdict> {
    return this.answer("decide", plan, error);
  }

  peek(plan: Plan, error: unknown): Promise<PlanVerdict> {
    return this.answer("peek", plan, error);
  }

  /** Not async, and with one promise: in an outage this answers every call. */
  private answer(operation: "decide" | "peek", plan: Plan, error: unknown): Promise<PlanVerdict> {
    const policy = this.policyOf(plan, error);
    if (policy === "throw") return rejectedSoon(ownError(error));
    return nextTurn().then(() =>
      policy === "local" ? asFallback(this.local()[operation](plan)) : this.fixed(policy, plan),
    );
  }

  /** Gives back what a policy took; only the fallback takes anything. */
  refundLocal(plan: Plan, charged: PlanVerdict): void {
    this.fallback?.refund(plan, charged);
  }

  /** What the store took and cannot be given back now stays charged: no other store has it. */
  async refund(plan: Plan, error: unknown): Promise<void> {
    await this.policyFor(plan, error);
  }

  /** Never passes over: who resets must know that the store has not forgotten. */
  async reset(plan: Plan, error: unknown): Promise<never> {
    await nextTurn();
    this.fallback?.reset(plan);
    throw ownError(error);
  }

  close(): void {
    this.fallback?.close();
  }

  /** Throws on what is no failure of the store, and where that is the policy. */
  private async policyFor(plan: Plan, error: unknown): Promise<PolicyAnswer> {
    await nextTurn();
    const policy = this.policyOf(plan, error);
    if (policy === "throw") throw ownError(error);
    return policy;
  }

  /** Only failures of the store are answered for. */
  private policyOf({ shape }: Plan, error: unknown): OnFailure {
    if (!(error instanceof StoreUnavailable)) return "throw";
    return shape.failurePolicy.onFailure ?? this.options.onFailure;
  }

  private fixed(policy: "allow" | "deny", { shape }: Plan): PlanVerdict {
    const allowed = policy === "allow";
    const denied = this.denied();
    const verdicts = shape.counters.map(({ size }) => (allowed ? unused(size) : denied));
    return { allowed, verdicts, source: "fallback", policy };
  }

  private denied(): Verdict {
    const retryAfterMs = Math.max(1, Math.ceil(this.options.retryAfterMs()));
    return { allowed: false, remaining: 0, retryAfterMs, resetAfterMs: retryAfterMs };
  }

  private local(): MemoryStore {
    this.fallback ??= memoryStore({ clock: this.options.clock, maxKeys: MOST_FALLBACK_KEYS });
    return this.fallback;
  }
}

/** As of a limit that nobody has used. */
function unused(size: number): Verdict {
  return { allowed: true, remaining: size, retryAfterMs: 0, resetAfterMs: 0 };
}

function asFallback({ allowed, verdicts, charge }: PlanVerdict): PlanVerdict {
  return { allowed, verdicts, source: "fallback", policy: "local", charge };
}

/**
 * What the store reports may be one error for many calls; whoever catches one may write on it. Without a stack, which
 * would name nothing but this file and cost more than the call.
 */
function ownError(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  const { reason, message, cause } = error;
  /** As V8 has it; elsewhere it does nothing. */
  const stacks = Error as { stackTraceLimit?: number };
  const { stackTraceLimit = 10 } = stacks;
  stacks.stackTraceLimit = 0;
  try {
    return new StoreUnavailable(reason, message, cause === undefined ? undefined : { cause });
  } finally {
    stacks.stackTraceLimit = stackTraceLimit;
  }
}

function rejectedSoon(error: unknown): Promise<never> {
  return nextTurn().then(() => {
    throw error;
  });
}

let turn: Promise<void> | undefined;

/** One for all who wait in this turn. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
