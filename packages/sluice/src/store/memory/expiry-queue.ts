/** Finds keys whose state is as good as never used, without a timer and without work on every charge. */
import { grown } from "./column.js";

const MOST_LOOKS = 64;

/**
 * A heap of slots by the instant at which each is due to be looked at: its death, as far as was known when
 * it was put there. Charges come later and make a key live longer, without a word to this queue; so what
 * is due is asked for its death again, and put back if that has moved.
 */
export class ExpiryQueue {
  private dueAt = new Float64Array(0);
  private heap = new Int32Array(0);
  private place = new Int32Array(0);
  private size = 0;

  constructor(private readonly deathOf: (slot: number, now: number) => number) {}

  grow(slots: number): void {
    this.dueAt = grown(this.dueAt, new Float64Array(slots));
    this.heap = grown(this.heap, new Int32Array(slots));
    this.place = grown(this.place, new Int32Array(slots));
  }

  add(slot: number, deadAt: number): void {
    this.dueAt[slot] = deadAt;
    this.size += 1;
    this.up(this.size - 1, slot);
  }

  /** Brings a death forward, as after a refund. */
  hasten(slot: number, deadAt: number): void {
    if (deadAt >= this.dueAt[slot]!) return;
    this.dueAt[slot] = deadAt;
    this.up(this.place[slot]!, slot);
  }

  /** After the clock has stepped back all deaths lie elsewhere: each is asked for again in its turn. */
  makeAllDue(now: number): void {
    this.dueAt.fill(now);
  }

  remove(slot: number): void {
    const hole = this.place[slot]!;
    this.size -= 1;
    const last = this.heap[this.size]!;
    if (last === slot) return;
    this.up(hole, last);
    this.down(this.place[last]!, last);
  }

  /** A slot that is dead at `now`, or -1 where none is found soon: no caller pays for all that live longer. */
  dead(now: number): number {
    for (let look = 0; look < MOST_LOOKS && this.size > 0; look += 1) {
      const slot = this.heap[0]!;
      if (this.dueAt[slot]! > now) return -1;
      const deadAt = this.deathOf(slot, now);
      if (deadAt <= now) return slot;
      this.dueAt[slot] = deadAt;
      this.down(0, slot);
    }
    return -1;
  }

  private up(start: number, slot: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.heap[parent]!;
      if (this.dueAt[above]! <= this.dueAt[slot]!) break;
      this.put(index, above);
      index = parent;
    }
    this.put(index, slot);
  }

  private down(start: number, slot: number): void {
    let index = start;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.dueAt[this.heap[child + 1]!]! < this.dueAt[this.heap[child]!]!)
        child += 1;
      const below = this.heap[child]!;
      if (this.dueAt[below]! >= this.dueAt[slot]!) break;
      this.put(index, below);
      index = child;
    }
    this.put(index, slot);
  }

  private put(index: number, slot: number): void {
    this.heap[index] = slot;
    this.place[slot] = index;
  }
}
