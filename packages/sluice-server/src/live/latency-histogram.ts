/** How long things took, in bounded memory: quantiles that are at most an eighth too high. */

const SUBDIVISIONS = 8;
const EXPONENTS = 32;
const LARGEST_US = 2 ** 31 - 1;

export class LatencyHistogram {
  private readonly counts = new Uint32Array(EXPONENTS * SUBDIVISIONS);
  private total = 0;

  add(milliseconds: number): void {
    const us = Math.min(LARGEST_US, Math.max(0, Math.round(milliseconds * 1000)));
    this.counts[placeOf(us)]! += 1;
    this.total += 1;
  }

  /** In microseconds: what the given share of them did not exceed; 0 where there are none. */
  quantile(share: number): number {
    let left = Math.ceil(share * this.total);
    for (let place = 0; place < this.counts.length && left > 0; place += 1) {
      left -= this.counts[place]!;
      if (left <= 0) return highestAt(place);
    }
    return 0;
  }

  clear(): void {
    if (this.total > 0) this.counts.fill(0);
    this.total = 0;
  }
}

/** Small ones have a place each; from there on, every doubling is divided by eight. */
function placeOf(us: number): number {
  if (us < SUBDIVISIONS) return us;
  const shift = 31 - Math.clz32(us) - 3;
  return (shift + 1) * SUBDIVISIONS + ((us >>> shift) - SUBDIVISIONS);
}

function highestAt(place: number): number {
  if (place < SUBDIVISIONS) return place;
  const shift = Math.floor(place / SUBDIVISIONS) - 1;
  return (SUBDIVISIONS + (place % SUBDIVISIONS) + 1) * 2 ** shift - 1;
}
