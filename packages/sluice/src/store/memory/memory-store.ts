/** The store inside the process: the default, and the reference for every other. */
import { type AlgorithmState, LARGEST_STEP_WAITED_OUT } from "../../algorithm/algorithm.js";
import { type Clock, checkedClock, systemClock } from "../../clock.js";
import { BadOption, Closed, checkOptions, shown } from "../../errors.js";
import type { Plan } from "../../plan/plan.js";
import { evaluate, type Operation } from "../evaluate.js";
import type { PlanVerdict, Store } from "../store.js";
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
  /** Any operation, those of a plan that is kept in several places among them. */
  ask(operation: Operation, plan: Plan, given?: PlanVerdict): PlanVerdict;
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
  /** Scratch space, by check: evaluating never waits and so is never entered twice. */
  private readonly found: (Entry | undefined)[] = [];
  private readonly states: AlgorithmState[] = [];
  private evaluations = 0;
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
    return this.ask("decide", plan);
  }

  peek(plan: Plan): PlanVerdict {
    return this.ask("peek", plan);
  }

  refund(plan: Plan, charged: PlanVerdict): void {
    this.ask("refund", plan, charged);
  }

  reset(plan: Plan): void {
    this.ask("reset", plan);
  }

  close(): void {
    this.closed = true;
  }

  ask(operation: Operation, plan: Plan, given?: PlanVerdict): PlanVerdict {
    const now = this.now();
    const { entries, found, states } = this;
    const { counters } = plan.shape;
    const { identities } = plan;
    for (let check = 0; check < counters.length; check += 1) {
      const counter = counters[check]!;
      const entry = entries.find(counter, identities[check]!, check);
      found[check] = entry;
      states[check] = entry === undefined ? counter.algorithm.create() : entry.state;
    }
    this.evaluations += 1;
    const answer = evaluate(operation, plan, states, now, this.evaluations, given);
    const { removals } = entries;
    for (let check = 0; check < counters.length; check += 1) {
      const counter = counters[check]!;
      const verdict = answer.verdicts[check];
      /** A key that was added just now may have pushed out one of this very plan. */
      const entry =
        entries.removals === removals ? found[check] : entries.find(counter, identities[check]!, check);
      if (entry === undefined) {
        if (verdict !== undefined && verdict.resetAfterMs > 0) {
          entries.add(counter, identities[check]!, states[check]!, now, verdict);
        }
      } else if (verdict === undefined || (operation === "refund" && verdict.resetAfterMs === 0)) {
        entries.remove(entry.slot);
      } else {
        entries.touch(entry, counter, verdict.allowed, verdict.remaining);
        if (operation === "refund") entries.hasten(entry, now + verdict.resetAfterMs * 1000);
        else if (counter.algorithm.bytes !== undefined) entries.weigh(entry, counter, now);
      }
    }
    return answer;
  }

  private now(): number {
    if (this.closed) throw new Closed("This memory store is closed; create a new one.");
    const now = this.clock();
    if (now < this.latest - LARGEST_STEP_WAITED_OUT) this.entries.clockSteppedBack(now);
    this.latest = now;
    return now;
  }
}
