/** How many commands of all connections may wait for the store at once: beyond that it would answer by its policy. */

export interface Waiter {
  goOn(): void;
}

export class InFlight {
  private count = 0;
  private waiters = new Set<Waiter>();

  constructor(private readonly most: number) {}

  get hasRoom(): boolean {
    return this.count < this.most;
  }

  begin(): void {
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    if (this.waiters.size === 0 || this.count > this.most / 2) return;
    const waiters = this.waiters;
    this.waiters = new Set();
    for (const waiter of waiters) waiter.goOn();
  }

  /** Calls `goOn` once, when there is room again. */
  waitForRoom(waiter: Waiter): void {
    this.waiters.add(waiter);
  }

  forget(waiter: Waiter): void {
    this.waiters.delete(waiter);
  }
}
