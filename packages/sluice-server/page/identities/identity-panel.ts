/** The selected identity: how it stands right now, and what can be done about it. */
import type { Hello, Identity } from "../../src/live/live-messages.js";
import { announce } from "../dom/announce.js";
import { confirmed } from "../dom/confirm.js";
import { byId, setText } from "../dom/element.js";
import { counted } from "../format.js";
import { RefusedByServer } from "../server/failures.js";
import type { Change, Server } from "../server/server.js";
import { identityElements, identityInWords } from "./identity-name.js";
import { showStanding } from "./standing.js";

const EVERY_MS = 3_000;

interface Chosen {
  readonly limit: string;
  readonly identity: Identity;
}

export class IdentityPanel {
  private chosen: Chosen | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly server: Server,
    private readonly onChanged: () => void,
  ) {
    byId("reset", HTMLButtonElement).addEventListener("click", () => void this.change("reset"));
    byId("refund", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.change("refund");
    });
  }

  /** The buttons are there only for who may press them. */
  allow({ mayChange }: Pick<Hello, "mayChange">): void {
    byId("changes", HTMLElement).hidden = !mayChange;
    byId("no-changes", HTMLElement).hidden = mayChange;
  }

  show(limit: string, identity: Identity | undefined): void {
    const isNew = identity !== undefined;
    this.chosen = isNew ? { limit, identity } : undefined;
    byId("identity", HTMLElement).hidden = !isNew;
    setText(byId("identity-problem", HTMLElement), "");
    byId("identity-cut", HTMLElement).hidden = !identity?.cut;
    byId("identity-whole", HTMLElement).hidden = identity?.cut ?? false;
    byId("standing", HTMLElement).hidden = true;
    if (isNew) byId("identity-name", HTMLElement).replaceChildren(...identityElements(identity));
    void this.refresh();
  }

  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    const { chosen } = this;
    if (chosen === undefined || chosen.identity.cut) return;
    if (!document.hidden)
      await this.attempt(chosen, async (question) => showStanding(await this.server.peek(question)));
    if (chosen === this.chosen) this.timer = setTimeout(() => void this.refresh(), EVERY_MS);
  }

  private async change(how: Change): Promise<void> {
    const { chosen } = this;
    if (chosen === undefined) return;
    const cost = Number(byId("refund-cost", HTMLInputElement).value);
    const who = identityInWords(chosen.identity);
    if (!(await confirmed(questionOf(how, who, chosen.limit, cost)))) return;
    const done = await this.attempt(chosen, (question) =>
      this.server.change(how, how === "refund" ? { ...question, cost } : question),
    );
    if (!done) return;
    announce(how === "reset" ? `Reset: ${who}.` : `Refunded ${counted(cost, "unit")}: ${who}.`);
    await this.refresh();
    this.onChanged();
  }

  /** Whether it went well; if not, the panel says why. */
  private async attempt(
    { limit, identity }: Chosen,
    ask: (question: { readonly limit: string; readonly id: string }) => Promise<void>,
  ): Promise<boolean> {
    const problem = byId("identity-problem", HTMLElement);
    try {
      await ask({ limit, id: identity.id });
      setText(problem, "");
      return true;
    } catch (error) {
      setText(problem, error instanceof RefusedByServer ? error.message : "The server does not answer.");
      return false;
    }
  }
}

function questionOf(how: Change, who: string, limit: string, cost: number) {
  if (how === "reset") {
    return {
      title: "Reset this identity?",
      words: `All that ${limit} has counted for ${who} is forgotten, and it begins anew.`,
      yes: "Reset",
    };
  }
  return {
    title: `Refund ${counted(cost, "unit")}?`,
    words: `${limit} gives ${who} back ${counted(cost, "unit")}, as if it had not asked.`,
    yes: "Refund",
  };
}
