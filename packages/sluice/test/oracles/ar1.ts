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
  let instant: number | undefined;
  let ahead = 0;
  let slack = 0n;
  const size = BigInt(limit) * ONE;

  const own = (now: number) => (instant === undefined ? now : Math.max(now + ahead, instant));
  const slotOf = (at: number) => Math.floor(at / precision);
  const fade = (faded: bigint) => (faded * BigInt(span - precision)) / BigInt(span);
  const cleared = (faded: bigint) => (faded < NEGLIGIBLE ? 0n : faded);

  /** The value after 0, 1, 2 … slots, until nothing is left; written down once for each change. */
  let fading: bigint[] = [0n];

  /** Without anything left, the store's clock counts again. */
  function set(at: number, changed: bigint): void {
    fading = [cleared(changed)];
    while (fading.at(-1) !== 0n) fading.push(cleared(fade(fading.at(-1) as bigint)));
    instant = fading[0] === 0n ? undefined : at;
    if (instant === undefined) ahead = 0;
  }
  const valueAt = (now: number) =>
    instant === undefined ? 0n : (fading[slotOf(own(now)) - slotOf(instant)] ?? 0n);

  return {
    leanBy(units) {
      slack = units;
    },
    heal(now) {
      if (!isFarAhead(instant, now + ahead)) return false;
      ahead = instant - now;
      return true;
    },
    fits: (cost, now) => valueAt(now) + BigInt(cost) * ONE <= size + slack,
    turningPoints(now) {
      if (instant === undefined) return [];
      const here = slotOf(own(now));
      const left = Math.max(0, slotOf(instant) + fading.length - 1 - here);
      return Array.from({ length: left }, (_, index) => (here + 1 + index) * precision - ahead);
    },
    charge(cost, now) {
      const value = valueAt(now);
      if (value === 0n) ahead = 0;
      const charged = value + BigInt(cost) * ONE;
      set(value === 0n ? now : own(now), charged < size ? charged : size);
      return undefined;
    },
    refund(cost, now, charged) {
      let left = BigInt(cost) * ONE;
      for (let slot = slotOf(charged.instant + ahead); slot < slotOf(own(now)); slot += 1) left = fade(left);
      const refunded = valueAt(now) - left;
      set(own(now), refunded > 0n ? refunded : 0n);
    },
  };
};
