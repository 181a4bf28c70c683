/** How long things took, in bounded memory: a histogram whose steps grow with the value, exact to three per cent. */

const STEPS_PER_DOUBLING = 32;
const DOUBLINGS = 40;

export class Latencies {
  private readonly counts = new Float64Array(STEPS_PER_DOUBLING * DOUBLINGS);
  private total = 0;

  add(milliseconds: number): void {
    this.counts[stepOf(milliseconds)]! += 1;
    this.total += 1;
  }

  /** In milliseconds, rounded up to a step; 0 where nothing was measured. */
  quantile(share: number): number {
    let left = Math.ceil(this.total * share);
    if (left === 0) return 0;
    for (let step = 0; step < this.counts.length; step += 1) {
      left -= this.counts[step]!;
      if (left <= 0) return upperEdge(step);
    }
    return upperEdge(this.counts.length - 1);
  }
}

/** The smallest step that is told apart. */
const SMALLEST_MS = 0.0001;

function stepOf(milliseconds: number): number {
  const step = Math.floor(Math.log2(Math.max(milliseconds, SMALLEST_MS) / SMALLEST_MS) * STEPS_PER_DOUBLING);
  return Math.min(step, STEPS_PER_DOUBLING * DOUBLINGS - 1);
}

function upperEdge(step: number): number {
  return SMALLEST_MS * 2 ** ((step + 1) / STEPS_PER_DOUBLING);
}
