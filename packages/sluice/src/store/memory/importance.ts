/** Which keys matter least: a list of slots for each level of use, the longest there first, and one for those that are new. */
import { grown } from "./column.js";

const LEVELS_OF_USE = 8;
const BEING_REFUSED = LEVELS_OF_USE + 1;
/** The list of the new, behind all levels: nobody knows yet how much they will matter. */
const YOUNG = BEING_REFUSED + 1;
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
  /** Where a slot stands: in the list of its level, or among the young. */
  private list = new Uint8Array(0);
  private readonly first = new Int32Array(YOUNG + 1).fill(NONE);
  private readonly last = new Int32Array(YOUNG + 1).fill(NONE);
  private young = 0;

  grow(slots: number): void {
    this.before = grown(this.before, new Int32Array(slots));
    this.after = grown(this.after, new Int32Array(slots));
    this.level = grown(this.level, new Uint8Array(slots));
    this.list = grown(this.list, new Uint8Array(slots));
  }

  /** Among the young, whatever its level is. */
  add(slot: number, level: number): void {
    this.level[slot] = level;
    this.append(slot, YOUNG);
    this.young += 1;
  }

  remove(slot: number): void {
    if (this.list[slot] === YOUNG) this.young -= 1;
    this.unlink(slot);
  }

  /** To the end of its level's list, where that has changed or the key is being refused just now. */
  move(slot: number, level: number): void {
    if (this.level[slot] === level && level !== BEING_REFUSED) return;
    this.level[slot] = level;
    if (this.list[slot] === YOUNG) return;
    this.unlink(slot);
    this.append(slot, level);
  }

  /** The oldest of the young go to their levels until there are no more than this. */
  leaveYoung(most: number): void {
    while (this.young > most) {
      const slot = this.first[YOUNG]!;
      this.remove(slot);
      this.append(slot, this.level[slot]!);
    }
  }

  /** The slot behind this one in its list, or -1. */
  next(slot: number): number {
    return this.after[slot]!;
  }

  levelOf(slot: number): number {
    return this.level[slot]!;
  }

  /** The slot that matters least, as far as was last known; of the young only where there is no other, and never `spared`. */
  least(spared: number): number {
    for (const first of this.first) {
      const slot = first === spared && first !== NONE ? this.after[first]! : first;
      if (slot !== NONE) return slot;
    }
    return NONE;
  }

  private append(slot: number, list: number): void {
    const last = this.last[list]!;
    this.list[slot] = list;
    this.before[slot] = last;
    this.after[slot] = NONE;
    this.last[list] = slot;
    if (last === NONE) this.first[list] = slot;
    else this.after[last] = slot;
  }

  private unlink(slot: number): void {
    const list = this.list[slot]!;
    const before = this.before[slot]!;
    const after = this.after[slot]!;
    if (before === NONE) this.first[list] = after;
    else this.after[before] = after;
    if (after === NONE) this.last[list] = before;
    else this.before[after] = before;
  }
}
