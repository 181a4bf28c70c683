/** The keys a memory store holds, and who goes when there are too many. */
import type { Verdict } from "../../algorithm/algorithm.js";
import type { Check, Counter } from "../../plan/plan.js";
import { ExpiryQueue } from "./expiry-queue.js";
import { ImportanceLists, importanceOf } from "./importance.js";

const NONE = -1;
/** Below this many keys nothing is swept: there is nothing to gain. */
const FIRST_SLOTS = 1024;
/** How many keys that seem to matter are looked at again before the one that has been there longest goes. */
const SECOND_LOOKS = 16;

/** The identities of one counter. */
interface Table {
  readonly counter: Counter;
  readonly slots: Map<string, number>;
}

/**
 * Columns rather than an object for each key, which halves the memory. Each counter has a table of its
 * own, so that a decision looks up the caller's own string and builds none.
 */
export class Entries {
  private readonly tables = new Map<string, Table>();
  private readonly expiry = new ExpiryQueue((slot, now) => this.judge(slot, now).resetAfterMs * 1000 + now);
  private readonly importance = new ImportanceLists();
  private readonly states: unknown[] = [];
  private readonly owners: Table[] = [];
  private readonly identities: string[] = [];
  private readonly free: number[] = [];
  /** By a check's place in its plan, the table that was asked last, which is usually asked next. */
  private readonly latestCounters: Counter[] = [];
  private readonly latestSlots: Map<string, number>[] = [];
  private capacity = 0;
  private held = 0;
  private removed = 0;

  constructor(private readonly maxKeys: number) {}

  get size(): number {
    return this.held;
  }

  /** How many keys have gone so far: while it stands still, slots that were found stay valid. */
  get removals(): number {
    return this.removed;
  }

  /** The slot of a check's state, or -1. `place` is the check's place in its plan. */
  find({ counter, identity }: Check, place: number): number {
    if (counter !== this.latestCounters[place]) {
      const table = this.tables.get(counter.id);
      if (table === undefined) return NONE;
      this.latestCounters[place] = counter;
      this.latestSlots[place] = table.slots;
    }
    const slot = this.latestSlots[place]!.get(identity);
    return slot === undefined ? NONE : slot;
  }

  state(slot: number): unknown {
    return this.states[slot];
  }

  replace(slot: number, state: unknown): void {
    this.states[slot] = state;
  }

  /** Notes how much a key matters by the latest verdict. */
  touch(slot: number, { size }: Counter, allowed: boolean, remaining: number): void {
    this.importance.move(slot, importanceOf(allowed, remaining, size));
  }

  add(
    check: Check,
    state: unknown,
    now: number,
    fitted: boolean,
    { remaining, resetAfterMs }: Verdict,
  ): void {
    this.makeRoom(now);
    const slot = this.free.pop() ?? this.held;
    const table = this.tableOf(check.counter);
    const identity = ownCopy(check.identity);
    table.slots.set(identity, slot);
    this.states[slot] = state;
    this.owners[slot] = table;
    this.identities[slot] = identity;
    this.expiry.add(slot, now + resetAfterMs * 1000);
    this.importance.add(slot, importanceOf(fitted, remaining, check.counter.size));
    this.held += 1;
  }

  remove(slot: number): void {
    const table = this.owners[slot]!;
    table.slots.delete(this.identities[slot]!);
    if (table.slots.size === 0) {
      this.tables.delete(table.counter.id);
      this.latestCounters.length = 0;
    }
    this.states[slot] = undefined;
    this.identities[slot] = "";
    this.expiry.remove(slot);
    this.importance.remove(slot);
    this.free.push(slot);
    this.held -= 1;
    this.removed += 1;
  }

  /** The dead go first, two for each new key, so that memory follows what is alive. */
  private makeRoom(now: number): void {
    for (let swept = 0; swept < 2 && this.held >= FIRST_SLOTS; swept += 1) {
      const dead = this.expiry.dead(now);
      if (dead === NONE) break;
      this.remove(dead);
    }
    if (this.held < this.capacity) return;
    if (this.capacity < this.maxKeys) this.grow();
    else this.remove(this.victim(now));
  }

  private grow(): void {
    this.capacity = Math.min(this.maxKeys, Math.max(FIRST_SLOTS, 2 * this.capacity));
    this.expiry.grow(this.capacity);
    this.importance.grow(this.capacity);
  }

  private victim(now: number): number {
    const dead = this.expiry.dead(now);
    return dead === NONE ? this.leastImportant(now) : dead;
  }

  /** Levels were noted when a key was last used, and use fades, so the candidates are judged again. */
  private leastImportant(now: number): number {
    for (let look = 0; look < SECOND_LOOKS; look += 1) {
      const slot = this.importance.least();
      const { allowed, remaining } = this.judge(slot, now);
      const level = importanceOf(allowed, remaining, this.owners[slot]!.counter.size);
      if (level <= this.importance.levelOf(slot) && allowed) return slot;
      this.importance.move(slot, level);
    }
    return this.importance.least();
  }

  private judge(slot: number, now: number): Verdict {
    const { algorithm, params } = this.owners[slot]!.counter;
    return algorithm.judge(this.states[slot], params, 1, now);
  }

  private tableOf(counter: Counter): Table {
    let table = this.tables.get(counter.id);
    if (table === undefined) {
      table = { counter, slots: new Map() };
      this.tables.set(counter.id, table);
    }
    return table;
  }
}

/** A piece cut from a longer string keeps all of that string alive; joining makes a string of its own. */
function ownCopy(text: string): string {
  return text.length < 13 ? text : text.slice(0, 1) + text.slice(1);
}
