/** A store that always answers: from where its checks are kept, or by its failure policy. */
import { Closed } from "../../errors.js";
import type { Plan } from "../../plan/plan.js";
import {
  askAll,
  decideAcross,
  type Part,
  type Partition,
  type PartVerdict,
  type Place,
  peekAll,
  planVerdict,
  refundAll,
} from "../part.js";
import type { Answer, PlanVerdict, Store } from "../store.js";
import type { Guard } from "./guard.js";
import { StoreUnavailable } from "./store-unavailable.js";

export interface PolicyAnswers extends Pick<Guard, "decide" | "peek" | "refund" | "refundLocal" | "reset"> {
  close(): Answer<void>;
}

export class GuardedStore implements Store, Partition {
  private closed = false;

  constructor(
    private readonly inner: Partition,
    readonly guard: PolicyAnswers,
  ) {}

  get onlyPlace(): Place | undefined {
    return this.inner.onlyPlace;
  }

  get deadlineMs(): number {
    return this.inner.deadlineMs;
  }

  partsOf(plan: Plan): readonly Part[] {
    return this.inner.partsOf(plan);
  }

  decide(plan: Plan): Promise<PlanVerdict> {
    if (this.closed) return Promise.reject(storeIsClosed());
    const byPolicy = (error: unknown) => this.guard.decide(plan, error);
    const { onlyPlace } = this;
    const parts = onlyPlace === undefined ? this.partsOf(plan) : [];
    const place = onlyPlace ?? (parts.length === 1 ? parts[0]!.place : undefined);
    if (place === undefined) return decideAcross(plan, parts).catch(byPolicy);
    const answer = place.decide(plan);
    if (answer instanceof StoreUnavailable) return this.guard.decide(plan, answer);
    return answer.then((verdict) => decided(plan, verdict), byPolicy);
  }

  async peek(plan: Plan): Promise<PlanVerdict> {
    if (this.closed) throw storeIsClosed();
    try {
      return await peekAll(plan, this.partsOf(plan));
    } catch (error) {
      return this.guard.peek(plan, error);
    }
  }

  async refund(plan: Plan, charged: PlanVerdict): Promise<void> {
    if (this.closed) throw storeIsClosed();
    if (charged.charge === undefined) return;
    if (charged.source === "fallback") return this.guard.refundLocal(plan, charged);
    try {
      await refundAll(this.partsOf(plan), charged.charge as readonly PartVerdict[]);
    } catch (error) {
      await this.guard.refund(plan, error);
    }
  }

  async reset(plan: Plan): Promise<void> {
    if (this.closed) throw storeIsClosed();
    try {
      await askAll("reset", this.partsOf(plan));
    } catch (error) {
      await this.guard.reset(plan, error);
    }
  }

  /** The client belongs to whoever made it. */
  async close(): Promise<void> {
    this.closed = true;
    await this.guard.close();
  }
}

/** The only part is the whole plan. */
function decided(plan: Plan, answer: PartVerdict): PlanVerdict {
  const verdict = planVerdict(plan, answer.verdicts);
  return verdict.allowed ? { ...verdict, charge: [answer] } : verdict;
}

function storeIsClosed(): Closed {
  return new Closed("This store is closed; create a new one.");
}
