/** The live view: what the server tells every second, drawn while somebody looks. */
import type { Hello, Second } from "../../src/live/live-messages.js";
import { byId } from "../dom/element.js";
import { KeptRows } from "../dom/keep-rows.js";
import { type History, remembered } from "./history.js";
import { LimitCard } from "./limit-card.js";
import { LimitDetail } from "./limit-detail.js";
import { showStore } from "./store-facts.js";
import { keyOf, type Subject, subjectsOf } from "./subject.js";

export class LiveView {
  private hello: Hello | undefined;
  private history: History = [];
  private subjects: readonly Subject[] = [];
  private selected: Subject | undefined;
  private wanted: string | undefined;
  private seconds = 300;
  private isShown = false;
  private frame: number | undefined;
  private detail: LimitDetail | undefined;
  private readonly watcher = new IntersectionObserver((entries) => this.noticed(entries));
  private readonly cards = new KeptRows<Subject, LimitCard>(
    byId("limits", HTMLUListElement),
    keyOf,
    (subject) => new LimitCard(subject, this.watcher),
    (card, subject) => card.describe(subject, card.key === (this.selected && keyOf(this.selected))),
  );

  constructor(private readonly onSelected: (subject: Subject | undefined) => void) {
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
    this.history = remembered(this.history, hello.past, hello.pastSeconds);
    this.refresh();
  }

  add(second: Second): void {
    if (this.hello === undefined) return;
    this.history = remembered(this.history, [second], this.hello.pastSeconds);
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
    this.refresh();
    this.cards.show([]);
    byId("last-values-rows", HTMLTableSectionElement).replaceChildren();
  }

  /** Selected is what was asked for, or else the first. */
  private refresh(): void {
    byId("live-content", HTMLDivElement).hidden = this.hello === undefined;
    this.subjects = this.hello === undefined ? [] : subjectsOf(this.hello, this.history);
    this.selected = this.subjects.find((subject) => keyOf(subject) === this.wanted) ?? this.subjects[0];
    this.onSelected(this.selected);
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
    const { subjects, selected, history, seconds } = this;
    if (!this.isShown) return;
    this.cards.show(subjects);
    for (const card of this.cards.values()) card.draw(history, seconds);
    showStore(history, seconds);
    if (selected === undefined) return;
    this.detail ??= new LimitDetail();
    this.detail.draw(history, selected, seconds);
  }

  private noticed(entries: readonly IntersectionObserverEntry[]): void {
    const cards = new Map([...this.cards.values()].map((card) => [card.element as Element, card]));
    for (const { target, isIntersecting } of entries) cards.get(target)?.seen(isIntersecting);
    this.drawSoon();
  }
}
