/** Who asks most and who is refused most under the selected limit, asked for every few seconds while it is seen. */
import type { Hello, Identity } from "../../src/live/live-messages.js";
import { byId, setText } from "../dom/element.js";
import { counted } from "../format.js";
import { RefusedByServer, TokenNeeded } from "../server/failures.js";
import type { Server } from "../server/server.js";
import { IdentityTable } from "./identity-table.js";

const EVERY_MS = 3_000;

export class IdentityList {
  private limit: string | undefined;
  private window: Hello["identityWindow"] | undefined;
  private selected: Identity | undefined;
  private asking: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly busiest = this.table("busiest");
  private readonly mostRefused = this.table("most-refused");

  constructor(
    private readonly server: Server,
    private readonly onSelect: (limit: string, identity: Identity | undefined) => void,
  ) {}

  /** Of this limit from now on; undefined where there is none to ask about. */
  watch(limit: string | undefined, window: Hello["identityWindow"] | undefined): void {
    this.window = window;
    if (limit === this.limit) return;
    this.limit = limit;
    byId("identities", HTMLElement).hidden = limit === undefined;
    this.show([], []);
    this.select(undefined);
    void this.refresh();
  }

  /** Asks now, and again and again from then on; while the page is hidden it only waits. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.asking?.abort();
    const { limit } = this;
    if (limit === undefined) return;
    const asking = new AbortController();
    this.asking = asking;
    if (!document.hidden) await this.ask(limit, asking.signal);
    if (!asking.signal.aborted) this.timer = setTimeout(() => void this.refresh(), EVERY_MS);
  }

  private async ask(limit: string, signal: AbortSignal): Promise<void> {
    try {
      const { busiest, mostRefused, errorAtMost } = await this.server.identities(limit, signal);
      if (signal.aborted) return;
      this.show(busiest, mostRefused);
      setText(byId("identities-note", HTMLElement), noteOf(this.window, errorAtMost));
    } catch (error) {
      if (signal.aborted || error instanceof TokenNeeded) return;
      const why = error instanceof RefusedByServer ? error.message : "The server does not answer.";
      setText(byId("identities-note", HTMLElement), why);
    }
  }

  private select(identity: Identity | undefined): void {
    this.selected = identity;
    if (this.limit !== undefined || identity === undefined) this.onSelect(this.limit ?? "", identity);
  }

  private show(busiest: readonly Identity[], mostRefused: readonly Identity[]): void {
    this.busiest.show(busiest, this.selected?.id);
    this.mostRefused.show(mostRefused, this.selected?.id);
  }

  private table(name: "busiest" | "most-refused"): IdentityTable {
    return new IdentityTable(
      byId(`${name}-rows`, HTMLTableSectionElement),
      byId(`${name}-empty`, HTMLElement),
      (identity) => {
        this.select(identity);
        void this.refresh();
      },
    );
  }
}

function noteOf(window: Hello["identityWindow"] | undefined, errorAtMost: number): string {
  const over = window === undefined ? "" : ` over the last ${window[0]} to ${window[1]} seconds`;
  const error =
    errorAtMost === 0
      ? "every count is exact"
      : `no count is too low, and none is more than ${counted(errorAtMost, "request")} too high`;
  return `Requests${over}; ${error}.`;
}
