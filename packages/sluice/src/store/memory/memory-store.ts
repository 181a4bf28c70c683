/** The store inside the process: the default, and the reference for every other. */
import { LARGEST_STEP_WAITED_OUT, type Verdict } from "../../algorithm/algorithm.js";
import { type Clock, checkedClock, systemClock } from "../../clock.js";
import { BadOption, Closed, checkOptions, shown } from "../../errors.js";
import { admits, type Counter, type Plan, type Shape } from "../../plan/plan.js";
import type { Charge, PlanVerdict, Store } from "../store.js";
import { Entries, type Entry } from "./entries.js";
import { defaultMaxBytes } from "./max-bytes.js";

export interface MemoryStoreOptions {
  /** Whole microseconds since the epoch; the system's clock when left out. */
  readonly clock?: Clock | undefined;
  /** How many keys are held at most. */
  readonly maxKeys?: number | undefined;
  /** How much memory they take at most, as far as it can be told; a quarter of the heap when left out. */
  readonly maxBytes?: number | undefined;
}

export interface MemoryStore extends Store {
  /** How many keys are held now. */
  readonly size: number;
  decide(plan: Plan): PlanVerdict;
  peek(plan: Plan): PlanVerdict;
  refund(plan: Plan, charged: PlanVerdict): void;
  reset(plan: Plan): void;
  close(): void;
}

const DEFAULT_MAX_KEYS = 1_000_000;
/** What a JavaScript Map can hold. */
const LARGEST_MAX_KEYS = 16_000_000;

export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  checkOptions("memoryStore", options, { clock: "function", maxKeys: "number", maxBytes: "number" });
  const { clock, maxKeys = DEFAULT_MAX_KEYS, maxBytes = defaultMaxBytes() } = options;
  if (!Number.isSafeInteger(maxKeys) || maxKeys < 1 || maxKeys > LARGEST_MAX_KEYS) {
    throw new BadOption(
      `maxKeys must be a whole number from 1 to ${LARGEST_MAX_KEYS}, and it is ${shown(maxKeys)}.`,
    );
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new BadOption(`maxBytes must be a whole number from 1, and it is ${shown(maxBytes)}.`);
  }
  return new InMemory(clock === undefined ? systemClock : checkedClock(clock), maxKeys, maxBytes);
}

class InMemory implements MemoryStore {
  private readonly entries: Entries;
  /** Scratch space, by check: deciding never waits and so is never entered twice. */
  private readonly found: (Entry | undefined)[] = [];
  private readonly fits: boolean[] = [];
  private readonly marks: number[] = [];
  private closed = false;
  private latest = 0;

  constructor(
    private readonly clock: Clock,
    maxKeys: number,
    maxBytes: number,
  ) {
    this.entries = new Entries(maxKeys, maxBytes);
  }

  get size(): number {
    return this.entries.size;
  }

  decide(plan: Plan): PlanVerdict {
    const now = this.now();
    return plan.shape.tree === 0 ? this.decideOne(plan, now) : this.decideMany(plan, now);
  }

  /** The usual plan is a single check, and needs none of the lists. */
  private decideOne({ shape, identities, cost }: Plan, now: number): PlanVerdict {
    const counter = shape.counters[0]!;
    const identity = identities[0]!;
    const entry = this.entries.find(counter, identity, 0);
    const spent = entry && counter.algorithm.spend?.(entry.state, counter.params, cost, now);
    if (spent !== undefined) {
      this.entries.touch(entry!, counter, true, spent.remaining);
      return {
        allowed: true,
        verdicts: [spent],
        source: "store",
        charge: { cost, instant: now, marks: undefined },
      };
    }
    const allowed = counter.algorithm.fits(healed(entry, counter, now), counter.params, cost, now);
    const verdict =
      allowed || shape.countRefused
        ? this.charge(entry, counter, identity, cost, now, allowed, allowed, 0)
        : this.judge(entry, counter, cost, now);
    return this.answer(shape, allowed, [verdict], cost, now);
  }

  private decideMany({ shape, identities, cost }: Plan, now: number): PlanVerdict {
    const { counters, tree, countRefused } = shape;
    const { entries, found, fits } = this;
    for (let check = 0; check < counters.length; check += 1) {
      const counter = counters[check]!;
      const entry = entries.find(counter, identities[check]!, check);
      found[check] = entry;
      fits[check] = counter.algorithm.fits(healed(entry, counter, now), counter.params, cost, now);
    }
    const allowed = admits(tree, fits);
    const charged = allowed || countRefused;
    const { removals } = entries;
    const verdicts = new Array<Verdict>(counters.length);
    for (let check = 0; check < counters.length; check += 1) {
      const counter = counters[check]!;
      /** A key that was added just now may have pushed out one of this very plan. */
      const entry =
        entries.removals === removals ? found[check] : entries.find(counter, identities[check]!, check);
      verdicts[check] = charged
        ? this.charge(entry, counter, identities[check]!, cost, now, fits[check]!, allowed, check)
        : this.judge(entry, counter, cost, now);
    }
    return this.answer(shape, allowed, verdicts, cost, now);
  }

  private answer(
    { counters }: Shape,
    allowed: boolean,
    verdicts: readonly Verdict[],
    cost: number,
    now: number,
  ): PlanVerdict {
    if (!allowed) return { allowed, verdicts, source: "store" };
    const marked = counters.some(({ algorithm }) => algorithm.mark !== undefined);
    const marks = marked ? this.marks.slice(0, counters.length) : undefined;
    return { allowed, verdicts, source: "store", charge: { cost, instant: now, marks } satisfies Charge };
  }

  peek({ shape, identities, cost }: Plan): PlanVerdict {
    const now = this.now();
    const verdicts = shape.counters.map((counter, check) => {
      const entry = this.entries.find(counter, identities[check]!, check);
      healed(entry, counter, now);
      return this.judge(entry, counter, cost, now);
    });
    const fits = verdicts.map((verdict) => verdict.allowed);
    return { allowed: admits(shape.tree, fits), verdicts, source: "store" };
  }

  refund({ shape, identities, cost }: Plan, { verdicts, charge }: PlanVerdict): void {
    const now = this.now();
    if (charge === undefined) return;
    const { cost: charged, instant, marks } = charge as Charge;
    shape.counters.forEach((counter, check) => {
      const entry = this.entries.find(counter, identities[check]!, check);
      if (entry === undefined) return;
      const { algorithm, params } = counter;
      const state = healed(entry, counter, now);
      /** Beyond its limit, a charge displaced what was there, and gives nothing back. */
      if (verdicts[check]!.allowed) {
        const past = { cost: charged, instant, mark: marks?.[check] ?? 0 };
        entry.state = algorithm.refund(state, params, cost, now, past);
      }
      const { resetAfterMs } = this.judge(entry, counter, 1, now);
      if (resetAfterMs === 0) this.entries.remove(entry.slot);
      else this.entries.hasten(entry, now + resetAfterMs * 1000);
    });
  }

  reset({ shape, identities }: Plan): void {
    this.now();
    shape.counters.forEach((counter, check) => {
      const entry = this.entries.find(counter, identities[check]!, check);
      if (entry !== undefined) this.entries.remove(entry.slot);
    });
  }

  close(): void {
    this.closed = true;
  }

  private now(): number {
    if (this.closed) throw new Closed("This memory store is closed; create a new one.");
    const now = this.clock();
    if (now < this.latest - LARGEST_STEP_WAITED_OUT) this.entries.clockSteppedBack(now);
    this.latest = now;
    return now;
  }

  /** Judges without charging. */
  private judge(entry: Entry | undefined, counter: Counter, cost: number, now: number): Verdict {
    const { algorithm, params } = counter;
    if (entry === undefined) return algorithm.judge(undefined, params, cost, now);
    const verdict = algorithm.judge(entry.state, params, cost, now);
    this.entries.touch(entry, counter, verdict.allowed, verdict.remaining);
    return verdict;
  }

  /** Charges, and answers as things stand after it, except that what fitted in an admitted plan was allowed. */
  private charge(
    entry: Entry | undefined,
    counter: Counter,
    identity: string,
    cost: number,
    now: number,
    fitted: boolean,
    admitted: boolean,
    check: number,
  ): Verdict {
    const { algorithm, params } = counter;
    const state = algorithm.charge(entry?.state, params, cost, now);
    this.marks[check] = algorithm.mark?.(state) ?? 0;
    const after = algorithm.judge(state, params, cost, now);
    const { remaining, resetAfterMs } = after;
    if (entry !== undefined) {
      if (state !== entry.state) entry.state = state;
      this.entries.touch(entry, counter, fitted, remaining);
      if (algorithm.bytes !== undefined) this.entries.weigh(entry, counter, now);
    } else if (resetAfterMs > 0) {
      this.entries.add(counter, identity, state, now, fitted, after);
    }
    return admitted && fitted && !after.allowed
      ? { allowed: true, remaining, retryAfterMs: 0, resetAfterMs }
      : after;
  }
}

/** The state of an entry, moved to now where it comes from far in the future, and kept so. */
function healed(entry: Entry | undefined, { algorithm, params }: Counter, now: number): unknown {
  if (entry === undefined) return undefined;
  const state = algorithm.heal(entry.state, params, now);
  if (state !== entry.state) entry.state = state;
  return state;
}
