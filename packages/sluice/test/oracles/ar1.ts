/** An exponential memory with 128 bits behind the point, faded slot by slot. */
import type { Quota } from "../../src/algorithm/algorithm.js";
import { isFarAhead, type Oracle } from "./oracle.js";

const BITS = 128n;
const ONE = 1n << BITS;
const NEGLIGIBLE = ONE / 1_000_000n;

export interface Ar1Oracle extends Oracle {
  /** Makes a cost fit a little earlier, or later when negative: where the two differ, doubles may go either way. */
  leanBy(slack: bigint): void;
}

/** One in 10^9 of a unit: far above the rounding of doubles, far below anything a random schedule hits often. */
export const LEAN = ONE / 1_000_000_000n;

export const ar1Oracle = ({ limit, span, precision = span }: Quota): Ar1Oracle => {
  let slot: number | undefined;
  let slack = 0n;
  const size = BigInt(limit) * ONE;

  const slotAt = (now: number) => Math.max(Math.floor(now / precision), slot ?? 0);
  const fade = (faded: bigint) => (faded * BigInt(span - precision)) / BigInt(span);
  const cleared = (faded: bigint) => (faded < NEGLIGIBLE ? 0n : faded);

  /** The value after 0, 1, 2 … slots, until nothing is left; written down once for each change. */
  let fading: bigint[] = [0n];
  function remember(changed: bigint): void {
    fading = [cleared(changed)];
    while (fading.at(-1) !== 0n) fading.push(cleared(fade(fading.at(-1) as bigint)));
  }
  function set(here: number, changed: bigint): void {
    remember(changed);
    slot = fading[0] === 0n ? undefined : here;
  }
  const valueAt = (now: number) => (slot === undefined ? 0n : (fading[slotAt(now) - slot] ?? 0n));

  return {
    leanBy(units) {
      slack = units;
    },
    heal(now) {
      const start = slot === undefined ? undefined : slot * precision;
      if (isFarAhead(start, now)) slot = Math.floor(now / precision);
    },
    fits: (cost, now) => valueAt(now) + BigInt(cost) * ONE <= size + slack,
    turningPoints(now) {
      const here = slotAt(now);
      const left = slot === undefined ? 0 : Math.max(0, slot + fading.length - 1 - here);
      return Array.from({ length: left }, (_, index) => (here + 1 + index) * precision);
    },
    charge(cost, now) {
      const charged = valueAt(now) + BigInt(cost) * ONE;
      set(slotAt(now), charged < size ? charged : size);
    },
    refund(cost, now) {
      const refunded = valueAt(now) - BigInt(cost) * ONE;
      set(slotAt(now), refunded > 0n ? refunded : 0n);
    },
  };
};
