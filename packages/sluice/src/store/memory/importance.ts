/** Which keys matter least: a list of slots for each level of use, the longest there first. */
import { grown } from "./column.js";

const LEVELS_OF_USE = 8;
const BEING_REFUSED = LEVELS_OF_USE + 1;
const NONE = -1;

/** From 0, hardly used, over 8, used up, to 9, being refused. */
export function importanceOf(allowed: boolean, remaining: number, size: number): number {
  if (!allowed) return BEING_REFUSED;
  return Math.floor((LEVELS_OF_USE * (size - remaining)) / size);
}

export class ImportanceLists {
  private before = new Int32Array(0);
  private after = new Int32Array(0);
  private level = new Uint8Array(0);
  private readonly first = new Int32Array(BEING_REFUSED + 1).fill(NONE);
  private readonly last = new Int32Array(BEING_REFUSED + 1).fill(NONE);

  grow(slots: number): void {
    this.before = grown(this.before, new Int32Array(slots));
    this.after = grown(this.after, new Int32Array(slots));
    this.level = grown(this.level, new Uint8Array(slots));
  }

  add(slot: number, level: number): void {
    const last = this.last[level]!;
    this.level[slot] = level;
    this.before[slot] = last;
    this.after[slot] = NONE;
    this.last[level] = slot;
    if (last === NONE) this.first[level] = slot;
    else this.after[last] = slot;
  }

  remove(slot: number): void {
    const level = this.level[slot]!;
    const before = this.before[slot]!;
    const after = this.after[slot]!;
    if (before === NONE) this.first[level] = after;
    else this.after[before] = after;
    if (after === NONE) this.last[level] = before;
    else this.before[after] = before;
  }

  /** To the end of its level's list, where that has changed or the key is being refused just now. */
  move(slot: number, level: number): void {
    if (this.level[slot] === level && level !== BEING_REFUSED) return;
    this.remove(slot);
    this.add(slot, level);
  }

  /** The slot behind this one in its level's list, or -1. */
  next(slot: number): number {
    return this.after[slot]!;
  }

  levelOf(slot: number): number {
    return this.level[slot]!;
  }

  /** The slot that matters least, as far as was last known. */
  least(): number {
    for (const slot of this.first) if (slot !== NONE) return slot;
    return NONE;
  }
}
