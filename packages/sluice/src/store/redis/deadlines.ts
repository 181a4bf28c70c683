/** Many deadlines on one coarse timer, since a timer of its own would be a good part of what a lone call costs. */

declare const performance: { now(): number };
declare function setTimeout(callback: () => void, ms: number): unknown;

/** How late a deadline may be noticed. */
const TICK_MS = 20;

export interface Deadline {
  readonly at: number;
  readonly expire: () => void;
}

export class Deadlines {
  private readonly open = new Set<Deadline>();
  private ticking = false;

  begin(ms: number, expire: () => void): Deadline {
    const deadline = { at: performance.now() + ms, expire };
    this.open.add(deadline);
    if (!this.ticking) this.tickLater();
    return deadline;
  }

  end(deadline: Deadline): void {
    this.open.delete(deadline);
  }

  private tickLater(): void {
    this.ticking = true;
    setTimeout(() => this.tick(), TICK_MS);
  }

  private tick(): void {
    const now = performance.now();
    for (const deadline of this.open) {
      if (deadline.at > now) continue;
      this.open.delete(deadline);
      deadline.expire();
    }
    this.ticking = false;
    if (this.open.size > 0) this.tickLater();
  }
}
