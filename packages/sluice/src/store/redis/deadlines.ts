/** Many deadlines on one coarse timer, since a timer of its own would be a good part of what a lone call costs. */

declare const performance: { now(): number };
declare function setTimeout(callback: () => void, ms: number): unknown;

/** How late a deadline may be noticed. */
const TICK_MS = 20;

export interface Expiring {
  /** On the clock of `performance.now()`. */
  readonly expiresAt: number;
  /** Once it is not, it no longer expires. */
  readonly isOpen: boolean;
  expire(): void;
}

export class Deadlines {
  private begun: Expiring[] = [];
  private ticking = false;

  begin(expiring: Expiring): void {
    this.begun.push(expiring);
    if (!this.ticking) this.tickLater();
  }

  private tickLater(): void {
    this.ticking = true;
    setTimeout(() => this.tick(), TICK_MS);
  }

  private tick(): void {
    const now = performance.now();
    const { begun } = this;
    this.begun = [];
    for (const expiring of begun) {
      if (!expiring.isOpen) continue;
      if (expiring.expiresAt > now) this.begun.push(expiring);
      else expiring.expire();
    }
    this.ticking = false;
    if (this.begun.length > 0) this.tickLater();
  }
}
