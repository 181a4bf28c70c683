/** Latencies of some of the decisions, in milliseconds: the newest ones when there are very many. */

/** Small: an array of megabytes has V8 mark the heap all the time, at a fifth of what a fast contender can do. */
const CAPACITY = 2 ** 16;

export function createSamples() {
  const places = new Float64Array(CAPACITY);
  let taken = 0;
  return {
    add(ms) {
      places[taken % CAPACITY] = ms;
      taken += 1;
    },
    clear() {
      taken = 0;
    },
    /** The latencies that the given shares of the samples do not exceed. */
    quantiles(shares) {
      const sorted = places.slice(0, Math.min(taken, CAPACITY)).sort();
      return shares.map((share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]);
    },
  };
}
