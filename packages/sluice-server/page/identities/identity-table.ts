/** A table of identities with their counts; each can be selected. */

import { grouped } from "../../src/explain/numbers.js";
import type { Identity } from "../../src/live/live-messages.js";
import { element, setText } from "../dom/element.js";
import { KeptRows } from "../dom/keep-rows.js";
import { identityElements } from "./identity-name.js";

interface Row {
  readonly element: HTMLTableRowElement;
  readonly button: HTMLButtonElement;
  readonly count: HTMLElement;
  readonly bar: HTMLElement;
}

export class IdentityTable {
  private readonly rows: KeptRows<Identity, Row>;
  private most = 1;
  private selected: string | undefined;

  constructor(
    host: HTMLTableSectionElement,
    private readonly empty: HTMLElement,
    private readonly onSelect: (identity: Identity) => void,
  ) {
    this.rows = new KeptRows<Identity, Row>(
      host,
      ({ id }) => id,
      (identity) => this.make(identity),
      (row, identity) => this.update(row, identity),
    );
  }

  show(identities: readonly Identity[], selected: string | undefined): void {
    this.most = Math.max(1, ...identities.map(({ count }) => count));
    this.selected = selected;
    this.rows.show(identities);
    this.empty.hidden = identities.length > 0;
  }

  private make(identity: Identity): Row {
    const button = element("button", { type: "button", class: "identity" }, ...identityElements(identity));
    const count = element("span");
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    button.addEventListener("click", () => this.onSelect(identity));
    const cells = [element("th", { scope: "row" }, button), element("td", {}, bar, count)];
    return { element: element("tr", {}, ...cells), button, count, bar };
  }

  private update({ button, count, bar }: Row, identity: Identity): void {
    setText(count, grouped(identity.count));
    bar.style.width = `${Math.round((60 * identity.count) / this.most)}px`;
    button.setAttribute("aria-pressed", String(identity.id === this.selected));
  }
}
