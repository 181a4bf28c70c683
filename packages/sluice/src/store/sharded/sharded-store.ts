/** Several independent servers as one store: each identity is kept on one of them. */
import { BadOption, shown } from "../../errors.js";
import { keysOf, type Plan } from "../../plan/plan.js";
import { partOf } from "../../plan/shape.js";
import type { Part, Partition, Place } from "../part.js";
import { hashTagOf } from "../redis/slot.js";
import type { PlanVerdict } from "../store.js";
import { GuardedStore, type PolicyAnswers } from "../wrap/guarded-store.js";
import { chosen } from "./rendezvous.js";

/** By name, or in a list, where the place in the list is the name. A name decides what is kept there. */
export type Shards = readonly GuardedStore[] | Readonly<Record<string, GuardedStore>>;

/**
 * What is asked of one identity is asked of one server. A request that counts by several identities may be in several
 * parts, which are held and settled as across the slots of a Cluster. A server that does not answer is answered for by
 * its own failure policy.
 */
export function shardedStore(stores: Shards): GuardedStore {
  const sharding = new Sharding(checkedShards("shardedStore", stores));
  return new GuardedStore(sharding, sharding);
}

export function checkedShards(whose: string, stores: unknown): Map<string, GuardedStore> {
  const named = typeof stores === "object" && stores !== null ? Object.entries(stores) : [];
  for (const [name, store] of named) {
    if (store instanceof GuardedStore) continue;
    throw new BadOption(
      `${whose} takes stores that redisStore() made, and ${shown(name)} is ${shown(store)}.`,
    );
  }
  if (named.length === 0)
    throw new BadOption(`${whose} takes a list of stores, or an object of them by name.`);
  return new Map(named as [string, GuardedStore][]);
}

class Sharding implements Partition, PolicyAnswers {
  readonly onlyPlace: Place | undefined;
  readonly deadlineMs: number;
  private readonly names: readonly string[];

  constructor(private readonly stores: ReadonlyMap<string, GuardedStore>) {
    this.names = [...stores.keys()];
    this.deadlineMs = Math.max(...[...stores.values()].map((store) => store.deadlineMs));
    this.onlyPlace = stores.size === 1 ? this.stores.get(this.names[0]!)!.onlyPlace : undefined;
  }

  partsOf(plan: Plan): readonly Part[] {
    const checksOf = new Map<GuardedStore, number[]>();
    keysOf(plan).forEach((key, check) => {
      const store = this.storeFor(key);
      checksOf.set(store, [...(checksOf.get(store) ?? []), check]);
    });
    return [...checksOf].flatMap(([store, checks]) => {
      const parts = store.partsOf(checksOf.size === 1 ? plan : partOf(plan, checks));
      return parts.map((part) => ({ ...part, checks: part.checks.map((check) => checks[check]!) }));
    });
  }

  decide(plan: Plan, error: unknown) {
    return this.guardFor(plan).decide(plan, error);
  }

  peek(plan: Plan, error: unknown) {
    return this.guardFor(plan).peek(plan, error);
  }

  refund(plan: Plan, error: unknown) {
    return this.guardFor(plan).refund(plan, error);
  }

  refundLocal(plan: Plan, charged: PlanVerdict) {
    this.guardFor(plan).refundLocal(plan, charged);
  }

  reset(plan: Plan, error: unknown) {
    return this.guardFor(plan).reset(plan, error);
  }

  async close(): Promise<void> {
    for (const store of this.stores.values()) await store.close();
  }

  /** All limits on one identity are together, as they would be in a Cluster. */
  private storeFor(key: string): GuardedStore {
    return this.stores.get(chosen(this.names, hashTagOf(key)))!;
  }

  private guardFor(plan: Plan): PolicyAnswers {
    return this.storeFor(keysOf(plan)[0]!).guard;
  }
}
