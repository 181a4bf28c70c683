/** A breaker for each range of slots: where one node of a Cluster is away, the others are still asked. */
import { Breaker, type BreakerState } from "../wrap/breaker.js";

/** A server without slots is all in slot 0. Only what has failed lately has a breaker. */
export class SlotBreakers {
  private readonly byRange = new Map<number, Breaker>();

  /** Whether all are, as nearly always. */
  get areClosed(): boolean {
    return this.byRange.size === 0;
  }

  allows(slot: number, now: number): boolean {
    return this.byRange.get(rangeOf(slot))?.allows(now) ?? true;
  }

  answered(slot: number): void {
    this.byRange.delete(rangeOf(slot));
  }

  failed(slot: number, now: number): void {
    const range = rangeOf(slot);
    const breaker = this.byRange.get(range) ?? new Breaker();
    breaker.failed(now);
    this.byRange.set(range, breaker);
  }

  /** The worst of all. */
  get state(): BreakerState {
    const states = new Set([...this.byRange.values()].map(({ state }) => state));
    return states.has("open") ? "open" : states.has("probing") ? "probing" : "closed";
  }

  /** The longest of all. */
  restsFor(now: number): number {
    let longest = 0;
    for (const breaker of this.byRange.values()) longest = Math.max(longest, breaker.restsFor(now));
    return longest;
  }
}

/** A node holds slots that are neighbours, thousands of them, so that what one of them suffers the next will too. */
function rangeOf(slot: number): number {
  return slot >> 8;
}
