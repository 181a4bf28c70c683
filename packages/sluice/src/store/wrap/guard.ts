/** Answers in a store's place when it cannot. */
import type { Verdict } from "../../algorithm/algorithm.js";
import type { Clock } from "../../clock.js";
import type { OnFailure } from "../../plan/failure-policy.js";
import type { Plan } from "../../plan/plan.js";
import { memoryStore } from "../memory/memory-store.js";
import type { Answer, PlanVerdict, Store } from "../store.js";
import { StoreUnavailable } from "./store-unavailable.js";

export interface GuardOptions {
  readonly clock: Clock | undefined;
  readonly onFailure: OnFailure;
  /** What "deny" tells a caller to wait: when the store may be asked again. */
  readonly retryAfterMs: () => number;
}

/** So many keys are counted in memory while the store is away. */
const MOST_FALLBACK_KEYS = 100_000;

type Question = "decide" | "peek" | "refund" | "reset";

export class Guard {
  private fallback: Store | undefined;

  constructor(private readonly options: GuardOptions) {}

  /** A decision of the policy that holds for this plan; what is no failure of the store is thrown on. */
  decide(plan: Plan, error: unknown): Answer<PlanVerdict> {
    return this.answer("decide", plan, error);
  }

  peek(plan: Plan, error: unknown): Answer<PlanVerdict> {
    return this.answer("peek", plan, error);
  }

  /** What cannot be given back to the store was, perhaps, taken from the fallback. */
  async refund(plan: Plan, error: unknown): Promise<void> {
    const policy = this.policyFor(plan, error);
    if (policy === "throw") throw error;
    if (policy === "local") await this.local().refund(plan);
  }

  /** Never passes over: who resets must know that the store has not forgotten. */
  async reset(plan: Plan, error: unknown): Promise<never> {
    await this.fallback?.reset(plan);
    throw error;
  }

  async close(): Promise<void> {
    await this.fallback?.close();
  }

  private answer(
    question: Extract<Question, "decide" | "peek">,
    plan: Plan,
    error: unknown,
  ): Answer<PlanVerdict> {
    const policy = this.policyFor(plan, error);
    if (policy === "throw") throw error;
    if (policy === "local") return asFallback(this.local()[question](plan));
    const verdict = policy === "allow" ? unused : this.denied();
    return {
      allowed: policy === "allow",
      verdicts: plan.shape.counters.map(({ size }) =>
        typeof verdict === "function" ? verdict(size) : verdict,
      ),
      source: "fallback",
    };
  }

  private policyFor({ shape }: Plan, error: unknown): OnFailure {
    if (!(error instanceof StoreUnavailable)) throw error;
    return shape.failurePolicy.onFailure ?? this.options.onFailure;
  }

  private denied(): Verdict {
    const retryAfterMs = Math.max(1, Math.ceil(this.options.retryAfterMs()));
    return { allowed: false, remaining: 0, retryAfterMs, resetAfterMs: retryAfterMs };
  }

  private local(): Store {
    this.fallback ??= memoryStore({ clock: this.options.clock, maxKeys: MOST_FALLBACK_KEYS });
    return this.fallback;
  }
}

/** As of a limit that nobody has used. */
function unused(size: number): Verdict {
  return { allowed: true, remaining: size, retryAfterMs: 0, resetAfterMs: 0 };
}

async function asFallback(answer: Answer<PlanVerdict>): Promise<PlanVerdict> {
  return { ...(await answer), source: "fallback" };
}
