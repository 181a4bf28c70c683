/** What all connections together make the server hold: half commands and unread replies. */

export interface Holder {
  /** In bytes, as of the last `note`. */
  held: number;
  drop(reason: string): void;
}

export class HeldBytes {
  private total = 0;

  constructor(
    private readonly most: number,
    private readonly holders: Iterable<Holder>,
  ) {}

  /** Where it is too much, who holds most has to go, so that nobody else is made to pay. */
  note(holder: Holder, held: number): void {
    this.total += held - holder.held;
    holder.held = held;
    while (this.total > this.most) {
      const largest = this.largest();
      if (largest === undefined || largest.held === 0) return;
      this.total -= largest.held;
      largest.held = 0;
      largest.drop("ERR out of room for half commands and unread replies");
    }
  }

  private largest(): Holder | undefined {
    let largest: Holder | undefined;
    for (const holder of this.holders) {
      if (largest === undefined || holder.held > largest.held) largest = holder;
    }
    return largest;
  }
}
