/** The live view: what the server tells every second, drawn while somebody looks. */
import {
  type Hello,
  type Histories,
  MOST_HISTORIES,
  type Second,
  type StoreState,
} from "../../src/live/live-messages.js";
import { byId } from "../dom/element.js";
import { KeptRows } from "../dom/keep-rows.js";
import { fillIn, type History, withPast, withSecond } from "./history.js";
import { LimitCard } from "./limit-card.js";
import { LimitDetail } from "./limit-detail.js";
import { showStore } from "./store-facts.js";
import { keyOf, type Subject, subjectsOf } from "./subject.js";

export interface LiveViewOptions {
  /** The server is asked for the past of what somebody looks at, since hello leaves it out. */
  readonly histories: (subjects: readonly Subject[]) => Promise<Histories>;
  readonly onSelected: (subject: Subject | undefined) => void;
}

export class LiveView {
  private hello: Hello | undefined;
  private store: StoreState | undefined;
  private history: History = [];
  private subjects: readonly Subject[] = [];
  private selected: Subject | undefined;
  private wanted: string | undefined;
  private seconds = 300;
  private isShown = false;
  private frame: number | undefined;
  private detail: LimitDetail | undefined;
  /** By key, what has a past to draw; and of these, what nothing has been missed of since. */
  private readonly drawable = new Set<string>();
  private readonly complete = new Set<string>();
  private isAsking = false;
  private readonly watcher = new IntersectionObserver((entries) => this.noticed(entries));
  private readonly cards = new KeptRows<Subject, LimitCard>(
    byId("limits", HTMLUListElement),
    keyOf,
    (subject) => new LimitCard(subject, this.watcher),
    (card, subject) => card.describe(subject, card.key === (this.selected && keyOf(this.selected))),
  );

  constructor(private readonly options: LiveViewOptions) {
    const range = byId("range", HTMLFieldSetElement);
    range.addEventListener("change", () => {
      const chosen = range.querySelector<HTMLInputElement>("input:checked");
      this.seconds = Number(chosen?.value ?? this.seconds);
      this.drawSoon();
    });
    byId("last-values", HTMLDetailsElement).addEventListener("toggle", () => this.drawSoon());
  }

  greet(hello: Hello): void {
    this.hello = hello;
    this.history = withPast(this.history, hello.past, hello.pastSeconds);
    this.complete.clear();
    this.refresh();
  }

  add(second: Second): void {
    if (this.hello === undefined) return;
    this.store = second.store;
    this.history = withSecond(this.history, second, this.hello.pastSeconds);
    this.refresh();
  }

  select(wanted: string | undefined): void {
    this.wanted = wanted;
    this.refresh();
  }

  show(isShown: boolean): void {
    this.isShown = isShown;
    this.drawSoon();
  }

  /** Nothing stays of what a token has opened. */
  forget(): void {
    this.hello = undefined;
    this.history = [];
    this.drawable.clear();
    this.complete.clear();
    this.refresh();
    this.cards.show([]);
    byId("last-values-rows", HTMLTableSectionElement).replaceChildren();
  }

  /** Selected is what was asked for, or else the first. */
  private refresh(): void {
    const { hello, history } = this;
    byId("live-content", HTMLDivElement).hidden = hello === undefined;
    const keys = history.flatMap(({ tallies }) => [...tallies.keys()]);
    this.subjects = hello === undefined ? [] : subjectsOf(hello, keys);
    this.selected = this.subjects.find((subject) => keyOf(subject) === this.wanted) ?? this.subjects[0];
    this.options.onSelected(this.selected);
    this.drawSoon();
  }

  /** At most once a frame, and not at all where nobody looks. */
  drawSoon(): void {
    if (this.frame !== undefined || !this.isShown || document.hidden) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  private draw(): void {
    const { subjects, selected, history, store, seconds } = this;
    if (!this.isShown) return;
    this.cards.show(subjects);
    void this.askForPast();
    for (const card of this.cards.values()) if (this.drawable.has(card.key)) card.draw(history, seconds);
    if (store !== undefined) showStore(store, history, seconds);
    if (selected === undefined || !this.drawable.has(keyOf(selected))) return;
    this.detail ??= new LimitDetail();
    this.detail.draw(history, selected, seconds);
  }

  /**
   * One question at a time, about what is looked at. Where there is no answer, what the page has seen itself is drawn, and
   * the next second asks again.
   */
  private async askForPast(): Promise<void> {
    const { hello, selected, complete } = this;
    if (hello === undefined || this.isAsking) return;
    const seen = [...this.cards.values()].filter(({ isSeen }) => isSeen).map(({ subject }) => subject);
    const looked = new Map([...(selected ? [selected] : []), ...seen].map((one) => [keyOf(one), one]));
    const missing = [...looked.values()].filter((one) => !complete.has(keyOf(one))).slice(0, MOST_HISTORIES);
    if (missing.length === 0) return;
    this.isAsking = true;
    const histories = await this.options.histories(missing).catch(() => undefined);
    this.isAsking = false;
    if (this.hello !== hello) return;
    for (const key of missing.map(keyOf)) this.drawable.add(key);
    if (histories === undefined) return;
    fillIn(this.history, histories, missing);
    for (const key of missing.map(keyOf)) complete.add(key);
    this.drawSoon();
  }

  private noticed(entries: readonly IntersectionObserverEntry[]): void {
    const cards = new Map([...this.cards.values()].map((card) => [card.element as Element, card]));
    for (const { target, isIntersecting } of entries) cards.get(target)?.seen(isIntersecting);
    this.drawSoon();
  }
}
