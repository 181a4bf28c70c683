/** The store inside the process: the default, and the reference for every other. */
import type { Verdict } from "../../algorithm/algorithm.js";
import { type Clock, checkedClock, systemClock } from "../../clock.js";
import { BadOption, Closed, checkOptions, shown } from "../../errors.js";
import { admits, type Check, type Plan } from "../../plan/plan.js";
import type { PlanVerdict, Store } from "../store.js";
import { Entries } from "./entries.js";

export interface MemoryStoreOptions {
  /** Whole microseconds since the epoch; the system's clock when left out. */
  readonly clock?: Clock | undefined;
  /** How many keys are held at most. */
  readonly maxKeys?: number | undefined;
}

export interface MemoryStore extends Store {
  /** How many keys are held now. */
  readonly size: number;
  decide(plan: Plan): PlanVerdict;
  peek(plan: Plan): PlanVerdict;
  refund(plan: Plan): void;
  reset(plan: Plan): void;
  close(): void;
}

const DEFAULT_MAX_KEYS = 1_000_000;
/** What a JavaScript Map can hold. */
const LARGEST_MAX_KEYS = 16_000_000;
const NONE = -1;

export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  checkOptions("memoryStore", options, { clock: "function", maxKeys: "number" });
  const { clock, maxKeys = DEFAULT_MAX_KEYS } = options;
  if (!Number.isSafeInteger(maxKeys) || maxKeys < 1 || maxKeys > LARGEST_MAX_KEYS) {
    throw new BadOption(
      `maxKeys must be a whole number from 1 to ${LARGEST_MAX_KEYS}, and it is ${shown(maxKeys)}.`,
    );
  }
  return new InMemory(clock === undefined ? systemClock : checkedClock(clock), maxKeys);
}

class InMemory implements MemoryStore {
  private readonly entries: Entries;
  /** Scratch space of `decide`, which never waits and so is never entered twice. */
  private readonly slots: number[] = [];
  private readonly fits: boolean[] = [];
  private closed = false;

  constructor(
    private readonly clock: Clock,
    maxKeys: number,
  ) {
    this.entries = new Entries(maxKeys);
  }

  get size(): number {
    return this.entries.size;
  }

  decide(plan: Plan): PlanVerdict {
    const now = this.now();
    return plan.tree === 0 ? this.decideOne(plan.checks[0]!, plan, now) : this.decideMany(plan, now);
  }

  /** The usual plan is a single check, and needs none of the lists. */
  private decideOne(check: Check, { cost, countRefused }: Plan, now: number): PlanVerdict {
    const { algorithm, params } = check.counter;
    const slot = this.entries.find(check, 0);
    const allowed = algorithm.fits(this.healed(slot, check, now), params, cost, now);
    const verdict =
      allowed || countRefused
        ? this.charge(slot, check, cost, now, allowed)
        : this.judge(slot, check, cost, now);
    return { allowed, verdicts: [verdict], source: "store" };
  }

  private decideMany({ checks, tree, cost, countRefused }: Plan, now: number): PlanVerdict {
    const { entries, slots, fits } = this;
    for (let index = 0; index < checks.length; index += 1) {
      const check = checks[index]!;
      const { algorithm, params } = check.counter;
      const slot = entries.find(check, index);
      slots[index] = slot;
      fits[index] = algorithm.fits(this.healed(slot, check, now), params, cost, now);
    }
    const allowed = admits(tree, fits);
    const charged = allowed || countRefused;
    const { removals } = entries;
    const verdicts = new Array<Verdict>(checks.length);
    for (let index = 0; index < checks.length; index += 1) {
      const check = checks[index]!;
      const slot = entries.removals === removals ? slots[index]! : entries.find(check, index);
      verdicts[index] = charged
        ? this.charge(slot, check, cost, now, fits[index]!)
        : this.judge(slot, check, cost, now);
    }
    return { allowed, verdicts, source: "store" };
  }

  peek(plan: Plan): PlanVerdict {
    const now = this.now();
    const verdicts = plan.checks.map((check, index) => {
      const slot = this.entries.find(check, index);
      this.healed(slot, check, now);
      return this.judge(slot, check, plan.cost, now);
    });
    const fits = verdicts.map((verdict) => verdict.allowed);
    return { allowed: admits(plan.tree, fits), verdicts, source: "store" };
  }

  refund(plan: Plan): void {
    const now = this.now();
    for (const [index, check] of plan.checks.entries()) {
      const slot = this.entries.find(check, index);
      if (slot === NONE) continue;
      const { algorithm, params } = check.counter;
      const state = algorithm.refund(this.healed(slot, check, now), params, plan.cost, now);
      this.entries.replace(slot, state);
      if (this.judge(slot, check, 1, now).resetAfterMs === 0) this.entries.remove(slot);
    }
  }

  reset(plan: Plan): void {
    this.now();
    for (const [index, check] of plan.checks.entries()) {
      const slot = this.entries.find(check, index);
      if (slot !== NONE) this.entries.remove(slot);
    }
  }

  close(): void {
    this.closed = true;
  }

  private now(): number {
    if (this.closed) throw new Closed("This memory store is closed; create a new one.");
    return this.clock();
  }

  /** The state in a slot, moved to now where it comes from far in the future, and kept so. */
  private healed(slot: number, { counter }: Check, now: number): unknown {
    if (slot === NONE) return undefined;
    const state = this.entries.state(slot);
    const healed = counter.algorithm.heal(state, counter.params, now);
    if (healed !== state) this.entries.replace(slot, healed);
    return healed;
  }

  /** Judges without charging. */
  private judge(slot: number, { counter }: Check, cost: number, now: number): Verdict {
    const { algorithm, params } = counter;
    if (slot === NONE) return algorithm.judge(undefined, params, cost, now);
    const verdict = algorithm.judge(this.entries.state(slot), params, cost, now);
    this.entries.touch(slot, counter, verdict.allowed, verdict.remaining);
    return verdict;
  }

  /** Charges, and answers as things stand after it, except that what did fit was allowed. */
  private charge(slot: number, check: Check, cost: number, now: number, fitted: boolean): Verdict {
    const { algorithm, params } = check.counter;
    const before = slot === NONE ? undefined : this.entries.state(slot);
    const state = algorithm.charge(before, params, cost, now);
    const after = algorithm.judge(state, params, cost, now);
    const { remaining, resetAfterMs } = after;
    if (slot !== NONE) {
      if (state !== before) this.entries.replace(slot, state);
      this.entries.touch(slot, check.counter, fitted, remaining);
    } else if (resetAfterMs > 0) {
      this.entries.add(check, state, now, fitted, after);
    }
    return fitted && !after.allowed ? { allowed: true, remaining, retryAfterMs: 0, resetAfterMs } : after;
  }
}
