/** The most that was admitted in any window of a length, exactly: windows slide, and begin just after an instant. */

export interface Peak {
  readonly units: number;
  /** The first and the last instant admitted in that window, in microseconds. */
  readonly from: number;
  readonly until: number;
}

/** A window is (t − length, t]: what is exactly as old as it is long no longer counts. */
export class WindowPeak {
  private readonly instants: number[] = [];
  private readonly costs: number[] = [];
  private oldest = 0;
  private within = 0;
  private best: Peak = { units: 0, from: 0, until: 0 };

  constructor(private readonly length: number) {}

  /** Instants come in order. */
  add(at: number, cost: number): void {
    this.instants.push(at);
    this.costs.push(cost);
    this.within += cost;
    while (this.instants[this.oldest]! <= at - this.length) {
      this.within -= this.costs[this.oldest]!;
      this.oldest += 1;
    }
    if (this.within > this.best.units) {
      this.best = { units: this.within, from: this.instants[this.oldest]!, until: at };
    }
    this.dropOld();
  }

  get peak(): Peak {
    return this.best;
  }

  /** In large steps, so that each instant is moved about once. */
  private dropOld(): void {
    if (this.oldest < 1024 || this.oldest * 2 < this.instants.length) return;
    this.instants.splice(0, this.oldest);
    this.costs.splice(0, this.oldest);
    this.oldest = 0;
  }
}
