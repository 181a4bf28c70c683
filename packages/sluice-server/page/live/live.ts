/** The live half of the page put together: the stream, what it shows, and who is limited. */

import type { Hello } from "../../src/live/live-messages.js";
import { byId, setText } from "../dom/element.js";
import { IdentityList } from "../identities/identity-list.js";
import { IdentityPanel } from "../identities/identity-panel.js";
import { createServer } from "../server/server.js";
import { createSignIn } from "../server/sign-in.js";
import { storedToken } from "../server/token.js";
import { LiveConnection } from "./connection.js";
import { showConnection } from "./connection-state.js";
import { LiveView } from "./live-view.js";
import type { Subject } from "./subject.js";

/** A tab that nobody has looked at for so long costs the server nothing. */
const OUT_OF_SIGHT_MS = 60_000;

export class Live {
  private hello: Hello | undefined;
  private leaving: ReturnType<typeof setTimeout> | undefined;
  private hasLeft = false;
  private readonly server = createServer(storedToken, () => this.tokenNeeded());
  private readonly panel = new IdentityPanel(this.server, () => void this.identities.refresh());
  private readonly identities = new IdentityList(this.server, (limit, identity) =>
    this.panel.show(limit, identity),
  );
  private readonly view = new LiveView({
    histories: (subjects) => this.server.histories(subjects),
    onSelected: (subject) => this.selected(subject),
  });
  private readonly signIn = createSignIn(
    () => this.connection.start(),
    () => this.tokenNeeded(),
  );
  private readonly connection = new LiveConnection({
    open: (signal) => this.server.events(signal),
    onHello: (hello) => this.greet(hello),
    onSecond: (second) => this.view.add(second),
    onState: (state) => {
      showConnection(state);
      if (state.kind === "needs token") this.signedOut();
    },
  });

  start(): void {
    document.addEventListener("visibilitychange", () => this.seen(!document.hidden));
    addEventListener("online", () => this.connection.isRunning && this.connection.start());
    this.connection.start();
    this.seen(!document.hidden);
  }

  show(isShown: boolean, wanted: string | undefined): void {
    byId("live", HTMLElement).hidden = !isShown;
    this.view.show(isShown);
    if (isShown) this.view.select(wanted);
  }

  private greet(hello: Hello): void {
    this.hello = hello;
    setText(byId("version", HTMLElement), hello.version);
    this.signIn.accepted();
    this.panel.allow(hello);
    this.view.greet(hello);
  }

  /** Only a limit that tells callers apart has identities. */
  private selected(subject: Subject | undefined): void {
    const hasIdentities = subject?.kind === "limit" && subject.facts?.selectors.length !== 0;
    this.identities.watch(hasIdentities ? subject.name : undefined, this.hello?.identityWindow);
  }

  private tokenNeeded(): void {
    if (this.connection.isRunning) this.connection.stop("needs token");
  }

  private signedOut(): void {
    this.hello = undefined;
    this.view.forget();
    this.signIn.ask();
  }

  private seen(isSeen: boolean): void {
    clearTimeout(this.leaving);
    if (!isSeen) {
      this.leaving = setTimeout(() => this.leave(), OUT_OF_SIGHT_MS);
      return;
    }
    if (this.hasLeft) this.connection.start();
    this.hasLeft = false;
    this.view.drawSoon();
    void this.identities.refresh();
    void this.panel.refresh();
  }

  private leave(): void {
    if (!this.connection.isRunning) return;
    this.hasLeft = true;
    this.connection.stop("paused");
  }
}
