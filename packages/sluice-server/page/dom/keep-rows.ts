/** A list that changes while somebody uses it: what stays keeps its elements, its order is mended, and the focus stays. */

export interface KeptRow {
  readonly element: HTMLElement;
  /** Told when it is no longer part of the list. */
  remove?(): void;
}

export class KeptRows<Item, Row extends KeptRow> {
  private rows = new Map<string, Row>();

  constructor(
    private readonly host: HTMLElement,
    private readonly keyOf: (item: Item) => string,
    private readonly make: (item: Item) => Row,
    private readonly update: (row: Row, item: Item) => void,
  ) {}

  show(items: readonly Item[]): void {
    const next = new Map<string, Row>();
    for (const item of items) {
      const key = this.keyOf(item);
      const row = this.rows.get(key) ?? this.make(item);
      this.update(row, item);
      next.set(key, row);
    }
    for (const [key, row] of this.rows) if (!next.has(key)) row.remove?.();
    this.rows = next;
    this.place([...next.values()].map((row) => row.element));
  }

  values(): Iterable<Row> {
    return this.rows.values();
  }

  /** Moving an element takes the focus from it, so it is given back. */
  private place(wanted: readonly HTMLElement[]): void {
    const { children } = this.host;
    if (children.length === wanted.length && wanted.every((one, index) => children[index] === one)) return;
    const focused = this.host.contains(document.activeElement) ? document.activeElement : undefined;
    this.host.replaceChildren(...wanted);
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  }
}
