/** One busy limit over several servers, each of which has its share of the quota. */
import type { Quota } from "../../algorithm/algorithm.js";
import { withQuota } from "../../plan/counter.js";
import type { Plan, Shape } from "../../plan/plan.js";
import type { PlanVerdict, Store } from "../store.js";
import type { GuardedStore } from "../wrap/guarded-store.js";
import { StoreUnavailable } from "../wrap/store-unavailable.js";
import { checkedShards, type Shards } from "./sharded-store.js";

declare const performance: { now(): number };

/** Deadlines are rounded up to this, so that what is asked at the same time travels together. */
const DEADLINE_STEP_MS = 10;

/**
 * The shares sum to the whole, so that never more is admitted than the rule says. Servers take turns, and when one
 * refuses, the next is asked, so that a request is refused only when none has room for all of it. What an answer says
 * of `remaining` and of times is what the server that gave it knows. Where refusals count, one server counts them.
 * All servers have one deadline together: each but the last is given half of what is left of it.
 */
export function splitStore(stores: Shards): Store {
  return new SplitStore([...checkedShards("splitStore", stores).values()]);
}

/** Which server admitted a plan, and what it said. */
interface ServerCharge {
  readonly server: number;
  readonly answer: PlanVerdict;
}

function chargedBy(server: number, answer: PlanVerdict): PlanVerdict {
  return { ...answer, charge: { server, answer } satisfies ServerCharge };
}

class SplitStore implements Store {
  private turn = 0;
  /** By server, the shapes with its share. */
  private readonly shares: readonly WeakMap<Shape, { readonly plain: Shape; readonly counting: Shape }>[];

  constructor(private readonly stores: readonly GuardedStore[]) {
    this.shares = stores.map(() => new WeakMap());
  }

  async decide(plan: Plan): Promise<PlanVerdict> {
    this.turn = (this.turn + 1) % this.stores.length;
    const first = this.turn;
    const due = performance.now() + this.deadlineOf(plan, first);
    const refusals = new Map<number, PlanVerdict>();
    let failure: unknown;
    for (let others = this.stores.length - 1; others >= 0; others -= 1) {
      const server = (first + this.stores.length - 1 - others) % this.stores.length;
      const left = due - performance.now();
      try {
        const share = within(others > 0 ? left / 2 : left, this.shareOf(plan, server));
        const answer = await this.stores[server]!.decide(share);
        if (answer.allowed) return chargedBy(server, answer);
        refusals.set(server, answer);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        failure = error;
      }
    }
    const [refused] = refusals.keys();
    if (refused === undefined) throw failure;
    if (!plan.shape.countRefused) return soonest([...refusals.values()]);
    const counted = this.shareOf(plan, refused, true);
    const answer = await this.stores[refused]!.decide(within(due - performance.now(), counted));
    return answer.allowed ? chargedBy(refused, answer) : answer;
  }

  async peek(plan: Plan): Promise<PlanVerdict> {
    const answers = await Promise.all(
      this.stores.map((store, server) => store.peek(this.shareOf(plan, server))),
    );
    return answers.find((answer) => answer.allowed) ?? soonest(answers);
  }

  async refund(plan: Plan, { charge }: PlanVerdict): Promise<void> {
    if (charge === undefined) return;
    const { server, answer } = charge as ServerCharge;
    await this.stores[server]!.refund(this.shareOf(plan, server), answer);
  }

  async reset(plan: Plan): Promise<void> {
    await Promise.all(this.stores.map((store, server) => store.reset(this.shareOf(plan, server))));
  }

  async close(): Promise<void> {
    for (const store of this.stores) await store.close();
  }

  private deadlineOf({ deadlineMs, shape }: Plan, server: number): number {
    return deadlineMs ?? shape.failurePolicy.deadlineMs ?? this.stores[server]!.deadlineMs;
  }

  /** Refusals count only where that is asked for: who is refused by one server is not yet refused. */
  private shareOf({ shape, identities, cost }: Plan, server: number, countRefused = false): Plan {
    const known = this.shares[server]!;
    let share = known.get(shape);
    if (share === undefined) {
      const counters = shape.counters.map((counter) =>
        withQuota(counter, quotaShare(counter.quota, server, this.stores.length)),
      );
      share = { plain: { ...shape, counters, countRefused: false }, counting: { ...shape, counters } };
      known.set(shape, share);
    }
    return { shape: countRefused ? share.counting : share.plain, identities, cost };
  }
}

function within(ms: number, plan: Plan): Plan {
  return { ...plan, deadlineMs: Math.max(1, Math.ceil(ms / DEADLINE_STEP_MS)) * DEADLINE_STEP_MS };
}

/** The first servers get what is left over by the division. */
function quotaShare(quota: Quota, server: number, servers: number): Quota {
  const share = (whole: number) => Math.floor(whole / servers) + (server < whole % servers ? 1 : 0);
  return quota.burst === undefined
    ? { ...quota, limit: share(quota.limit) }
    : { ...quota, limit: share(quota.limit), burst: share(quota.burst) };
}

/** Of those that refused, the one that would admit first. */
function soonest(answers: readonly PlanVerdict[]): PlanVerdict {
  const wait = ({ verdicts }: PlanVerdict) => Math.max(...verdicts.map((verdict) => verdict.retryAfterMs));
  return answers.reduce((best, answer) => (wait(answer) < wait(best) ? answer : best));
}
