/**
 * The most frequent names of a stream, in bounded memory: the Space-Saving sketch. When it is full, a new name takes
 * the place of the rarest one and inherits its count. So every name that came more often than one time in `capacity`
 * is there, and no count is too low, or too high by more than `errorAtMost`.
 */
export interface Counted {
  readonly name: string;
  readonly count: number;
}

interface Entry {
  name: string;
  count: number;
  place: number;
}

export class FrequentNames {
  private readonly byName = new Map<string, Entry>();
  /** A heap: no entry has a lower count than the one above it. */
  private readonly heap: Entry[] = [];

  constructor(private readonly capacity: number) {}

  add(name: string): void {
    let entry = this.byName.get(name);
    if (entry === undefined && this.heap.length < this.capacity) {
      entry = { name, count: 0, place: this.heap.length };
      this.heap.push(entry);
      this.byName.set(name, entry);
      this.rise(entry);
    } else if (entry === undefined) {
      entry = this.heap[0]!;
      this.byName.delete(entry.name);
      entry.name = name;
      this.byName.set(name, entry);
    }
    entry.count += 1;
    this.sink(entry);
  }

  get(name: string): Counted | undefined {
    return this.byName.get(name);
  }

  entries(): readonly Counted[] {
    return this.heap;
  }

  get errorAtMost(): number {
    return this.heap.length < this.capacity ? 0 : this.heap[0]!.count;
  }

  private rise(entry: Entry): void {
    while (entry.place > 0) {
      const above = this.heap[(entry.place - 1) >> 1]!;
      if (above.count <= entry.count) return;
      this.swap(entry, above);
    }
  }

  private sink(entry: Entry): void {
    for (;;) {
      const left = this.heap[2 * entry.place + 1];
      const right = this.heap[2 * entry.place + 2];
      if (left === undefined) return;
      const lower = right !== undefined && right.count < left.count ? right : left;
      if (lower.count >= entry.count) return;
      this.swap(lower, entry);
    }
  }

  private swap(one: Entry, other: Entry): void {
    [one.place, other.place] = [other.place, one.place];
    this.heap[one.place] = one;
    this.heap[other.place] = other;
  }
}
