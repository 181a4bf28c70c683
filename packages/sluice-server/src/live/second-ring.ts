/** Numbers of each of the last seconds, in memory that is taken once. */

/** Every second has a place of its own until the same place of the next round, also where the clock was set back. */
export class SecondRing {
  /** The second whose numbers stand in a place. */
  private readonly at: Float64Array;
  private readonly numbers: Uint32Array;

  constructor(
    private readonly seconds: number,
    private readonly width: number,
  ) {
    this.at = new Float64Array(seconds).fill(Number.NaN);
    this.numbers = new Uint32Array(seconds * width);
  }

  set(at: number, numbers: readonly number[]): void {
    const place = at % this.seconds;
    this.at[place] = at;
    this.numbers.set(numbers, place * this.width);
  }

  /** Those that are known up to this second, oldest first, each as how long after `first` it was and its numbers. */
  rows(first: number, last: number): readonly (readonly number[])[] {
    const rows: number[][] = [];
    for (let at = Math.max(0, first); at <= last; at += 1) {
      const place = at % this.seconds;
      if (this.at[place] !== at) continue;
      const start = place * this.width;
      rows.push([at - first, ...this.numbers.subarray(start, start + this.width)]);
    }
    return rows;
  }
}
