/**
 * The most frequent names of a stream, in bounded memory: the Space-Saving sketch. When it is full, a new name takes
 * the place of the rarest one and inherits its count. So every name that came more often than one time in `capacity`
 * is there, and no count is too low, or too high by more than `errorAtMost`.
 */
export interface Counted<Value> {
  readonly name: string;
  readonly count: number;
  readonly value: Value;
}

interface Entry<Value> {
  name: string;
  count: number;
  value: Value;
  place: number;
}

export class FrequentNames<Value> {
  private readonly byName = new Map<string, Entry<Value>>();
  /** A heap: no entry has a lower count than the one above it. */
  private readonly heap: Entry<Value>[] = [];

  constructor(private readonly capacity: number) {}

  /** `make` is asked only for a name that is new. */
  add(name: string, make: () => Value): void {
    let entry = this.byName.get(name);
    if (entry === undefined && this.heap.length < this.capacity) {
      entry = { name, count: 0, value: make(), place: this.heap.length };
      this.heap.push(entry);
      this.byName.set(name, entry);
      this.rise(entry);
    } else if (entry === undefined) {
      entry = this.heap[0]!;
      this.byName.delete(entry.name);
      entry.name = name;
      entry.value = make();
      this.byName.set(name, entry);
    }
    entry.count += 1;
    this.sink(entry);
  }

  get(name: string): Counted<Value> | undefined {
    return this.byName.get(name);
  }

  entries(): readonly Counted<Value>[] {
    return this.heap;
  }

  get errorAtMost(): number {
    return this.heap.length < this.capacity ? 0 : this.heap[0]!.count;
  }

  private rise(entry: Entry<Value>): void {
    while (entry.place > 0) {
      const above = this.heap[(entry.place - 1) >> 1]!;
      if (above.count <= entry.count) return;
      this.swap(entry, above);
    }
  }

  private sink(entry: Entry<Value>): void {
    for (;;) {
      const left = this.heap[2 * entry.place + 1];
      const right = this.heap[2 * entry.place + 2];
      if (left === undefined) return;
      const lower = right !== undefined && right.count < left.count ? right : left;
      if (lower.count >= entry.count) return;
      this.swap(lower, entry);
    }
  }

  private swap(one: Entry<Value>, other: Entry<Value>): void {
    [one.place, other.place] = [other.place, one.place];
    this.heap[one.place] = one;
    this.heap[other.place] = other;
  }
}
