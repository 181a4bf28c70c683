/** The keys a memory store holds, and who goes when there are too many. */
import type { AlgorithmState, Verdict } from "../../algorithm/algorithm.js";
import type { Counter } from "../../plan/plan.js";
import { grown } from "./column.js";
import { ExpiryQueue } from "./expiry-queue.js";
import { ImportanceLists, importanceOf } from "./importance.js";

const NONE = -1;
/** Below this many keys nothing is swept: there is nothing to gain. */
const FIRST_SLOTS = 1024;
/** For how long the dead stay, in microseconds: somebody who comes back soon then costs nothing extra. */
const GRACE = 10_000_000;
/** One key in so many is young, and goes only after as many newer ones: so it is limited from its first request. */
const YOUNG_SHARE = 8;
/** What a key takes besides its name and a state that grows, and what a counter takes for its table, in bytes. */
const ENTRY_BYTES = 330;
const TABLE_BYTES = 1_000;
/** How many keys of the lowest level are looked at again before the one that has been there longest goes. */
const SECOND_LOOKS = 16;

/** What a key is remembered by. Its slot is its place in the columns of the queue and the lists. */
export interface Entry {
  readonly state: AlgorithmState;
  readonly slot: number;
}

/** The identities of one counter. */
interface Table {
  readonly counter: Counter;
  readonly entries: Map<string, Entry>;
}

/**
 * Each counter has a table of its own, so that a decision looks up the caller's own string and builds none.
 * What only matters when a key comes or goes is in columns, which weigh less than objects.
 */
export class Entries {
  private readonly tables = new Map<string, Table>();
  private readonly expiry = new ExpiryQueue((slot, now) => this.judge(slot, now).resetAfterMs * 1000 + now);
  private readonly importance = new ImportanceLists();
  private readonly bySlot: (Entry | undefined)[] = [];
  private readonly owners: Table[] = [];
  private readonly identities: string[] = [];
  private readonly free: number[] = [];
  /** What each slot was last known to take. */
  private weights = new Int32Array(0);
  /** By a check's place in its plan, the table that was asked last, which is usually asked next. */
  private readonly latestCounters: Counter[] = [];
  private readonly latestEntries: Map<string, Entry>[] = [];
  private capacity = 0;
  private held = 0;
  private removed = 0;
  private bytes = 0;

  constructor(
    private readonly maxKeys: number,
    private readonly maxBytes: number,
  ) {}

  get size(): number {
    return this.held;
  }

  /** `check` is the place of the question in its plan. */
  find(counter: Counter, identity: string, check: number): Entry | undefined {
    if (counter !== this.latestCounters[check]) {
      const table = this.tables.get(counter.id);
      if (table === undefined) return undefined;
      this.latestCounters[check] = counter;
      this.latestEntries[check] = table.entries;
    }
    return this.latestEntries[check]!.get(identity);
  }

  /** How many keys have gone so far: while it stands still, entries that were found are still held. */
  get removals(): number {
    return this.removed;
  }

  /** Notes how much a key matters by the latest verdict. */
  touch({ slot }: Entry, { size }: Counter, allowed: boolean, remaining: number): void {
    this.importance.move(slot, importanceOf(allowed, remaining, size));
  }

  /** A key that will die sooner than was noted. */
  hasten({ slot }: Entry, deadAt: number): void {
    this.expiry.hasten(slot, deadAt);
  }

  clockSteppedBack(now: number): void {
    this.expiry.makeAllDue(now);
  }

  add(counter: Counter, identity: string, state: AlgorithmState, now: number, verdict: Verdict): void {
    const own = ownCopy(identity);
    const bytes = weightOf(own, counter, state);
    this.makeRoom(bytes, now);
    const slot = this.free.pop() ?? this.held;
    const entry = { state, slot };
    const table = this.tableOf(counter);
    table.entries.set(own, entry);
    this.bytes += bytes;
    this.weights[slot] = bytes;
    this.bySlot[slot] = entry;
    this.owners[slot] = table;
    this.identities[slot] = own;
    this.expiry.add(slot, now + verdict.resetAfterMs * 1000);
    this.importance.add(slot, importanceOf(verdict.allowed, verdict.remaining, counter.size));
    this.held += 1;
  }

  /** Notes what a key takes by now; where that is too much, others go, and never the key itself, which is being charged. */
  weigh({ slot, state }: Entry, counter: Counter, now: number): void {
    const bytes = weightOf(this.identities[slot]!, counter, state);
    if (bytes === this.weights[slot]) return;
    this.bytes += bytes - this.weights[slot]!;
    this.weights[slot] = bytes;
    while (this.bytes > this.maxBytes && this.held > 1) this.remove(this.victim(now, slot));
  }

  remove(slot: number): void {
    const table = this.owners[slot]!;
    table.entries.delete(this.identities[slot]!);
    if (table.entries.size === 0) {
      this.tables.delete(table.counter.id);
      this.bytes -= TABLE_BYTES;
      this.latestCounters.length = 0;
    }
    this.bytes -= this.weights[slot]!;
    this.bySlot[slot] = undefined;
    this.identities[slot] = "";
    this.expiry.remove(slot);
    this.importance.remove(slot);
    this.free.push(slot);
    this.held -= 1;
    this.removed += 1;
  }

  /** The long dead go first, two for each new key, so that memory follows what is alive. */
  private makeRoom(bytes: number, now: number): void {
    for (let swept = 0; swept < 2 && this.held >= FIRST_SLOTS; swept += 1) {
      const dead = this.expiry.dead(now - GRACE);
      if (dead === NONE) break;
      this.remove(dead);
    }
    this.leaveYoung();
    while (this.held > 0 && (this.held >= this.maxKeys || this.bytes + bytes > this.maxBytes)) {
      this.remove(this.victim(now));
    }
    if (this.held >= this.capacity) this.grow();
  }

  private grow(): void {
    this.capacity = Math.min(this.maxKeys, Math.max(FIRST_SLOTS, 2 * this.capacity));
    this.expiry.grow(this.capacity);
    this.importance.grow(this.capacity);
    this.weights = grown(this.weights, new Int32Array(this.capacity));
  }

  private leaveYoung(): void {
    this.importance.leaveYoung(Math.floor(this.held / YOUNG_SHARE));
  }

  private victim(now: number, spared = NONE): number {
    this.leaveYoung();
    const dead = this.expiry.dead(now);
    return dead === NONE || dead === spared ? this.leastImportant(now, spared) : dead;
  }

  /** Levels were noted when a key was last used, and use fades: one that matters less by now goes first. */
  private leastImportant(now: number, spared: number): number {
    const first = this.importance.least(spared);
    let slot = first;
    for (let look = 0; look < SECOND_LOOKS && slot !== NONE; look += 1) {
      const { allowed, remaining } = this.judge(slot, now);
      const level = importanceOf(allowed, remaining, this.owners[slot]!.counter.size);
      if (slot !== spared && level < this.importance.levelOf(slot)) return slot;
      slot = this.importance.next(slot);
    }
    return first;
  }

  private judge(slot: number, now: number): Verdict {
    const { algorithm, params } = this.owners[slot]!.counter;
    const { state } = this.bySlot[slot]!;
    algorithm.heal(state, params, now);
    return algorithm.judge(state, params, 1, now);
  }

  private tableOf(counter: Counter): Table {
    let table = this.tables.get(counter.id);
    if (table === undefined) {
      table = { counter, entries: new Map() };
      this.bytes += TABLE_BYTES;
      this.tables.set(counter.id, table);
    }
    return table;
  }
}

function weightOf(identity: string, { algorithm }: Counter, state: AlgorithmState): number {
  return ENTRY_BYTES + identity.length + (algorithm.bytes?.(state) ?? 0);
}

/** A piece cut from a longer string keeps all of that string alive; joining makes a string of its own. */
function ownCopy(text: string): string {
  return text.length < 13 ? text : [text.slice(0, 1), text.slice(1)].join("");
}
