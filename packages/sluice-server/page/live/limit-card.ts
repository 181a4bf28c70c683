/** One limit at a glance: its chart and the numbers of the last seconds. */
import { percent } from "../../src/explain/numbers.js";
import { RateChart } from "../chart/rate-chart.js";
import { element, setText } from "../dom/element.js";
import { latency, NOTHING, rate } from "../format.js";
import { columnsOf, type Figures, figuresOf } from "./figures.js";
import type { History } from "./history.js";
import { keyOf, linkTo, type Subject } from "./subject.js";

/** Rates are of so many seconds, so that they can be read before they change. */
export const RECENT_SECONDS = 10;
const HEIGHT = 88;

const NUMBERS = ["admitted", "refused", "share refused", "p50", "p99", "decided by"] as const;
type NumberName = (typeof NUMBERS)[number];

export class LimitCard {
  readonly element: HTMLLIElement;
  private readonly link = element("a", { class: "card-name" });
  private readonly badge = element("span", { class: "badge", hidden: "" }, "shadow");
  private readonly rule = element("code", { class: "rule" });
  private readonly place = element("div", { class: "chart", "aria-hidden": "true" });
  private readonly refusedLabel = element("dt", {}, "refused");
  private readonly values = new Map<NumberName, HTMLElement>();
  private chart: RateChart | undefined;
  isSeen = false;

  constructor(
    public subject: Subject,
    private readonly watcher: IntersectionObserver,
  ) {
    const numbers = NUMBERS.map((name) => {
      const value = element("dd", {}, NOTHING);
      this.values.set(name, value);
      const label = name === "refused" ? this.refusedLabel : element("dt", {}, name);
      return element("div", {}, label, value);
    });
    this.element = element(
      "li",
      { class: "card" },
      element("h3", {}, this.link, this.badge),
      this.rule,
      this.place,
      element("dl", { class: "numbers" }, ...numbers),
    );
    watcher.observe(this.element);
  }

  get key(): string {
    return keyOf(this.subject);
  }

  describe(subject: Subject, isSelected: boolean): void {
    this.subject = subject;
    const isShadow = subject.facts?.shadow ?? false;
    setText(this.link, subject.name);
    setText(this.rule, subject.facts?.rule ?? (subject.kind === "command" ? "as each call says" : NOTHING));
    setText(this.refusedLabel, isShadow ? "would refuse" : "refused");
    this.badge.hidden = !isShadow;
    this.link.setAttribute("href", linkTo(subject));
    this.element.classList.toggle("selected", isSelected);
    if (isSelected) this.link.setAttribute("aria-current", "true");
    else this.link.removeAttribute("aria-current");
  }

  /** What nobody sees has no chart. */
  seen(isSeen: boolean): void {
    this.isSeen = isSeen;
    if (!isSeen) this.dropChart();
  }

  draw(history: History, seconds: number): void {
    if (!this.isSeen) return;
    this.chart ??= new RateChart(this.place, { height: HEIGHT, showsTime: false });
    this.chart.draw(columnsOf(history, this.subject, seconds), this.subject.facts?.shadow ?? false);
    const recent = figuresOf(history, this.subject, RECENT_SECONDS);
    const all = figuresOf(history, this.subject, seconds);
    const refused = this.subject.facts?.shadow ? "shadowRefused" : "refused";
    this.set("admitted", perSecond(recent.allowed, recent));
    this.set("refused", perSecond(recent[refused], recent));
    this.set("share refused", percent(all[refused], all.allowed + all.refused));
    this.set("p50", latency(all.p50Ms));
    this.set("p99", latency(all.p99Ms));
    this.set("decided by", decidersOf(all));
  }

  remove(): void {
    this.watcher.unobserve(this.element);
    this.dropChart();
  }

  private dropChart(): void {
    this.chart?.remove();
    this.chart = undefined;
  }

  private set(name: NumberName, text: string): void {
    setText(this.values.get(name)!, text);
  }
}

function perSecond(count: number, { seconds }: Figures): string {
  return seconds === 0 ? NOTHING : `${rate(count / seconds)}/s`;
}

/** `store`, or the others where there were any: `fallback 12.0 %`, and the store the rest. */
export function decidersOf({ allowed, refused, fallback, cache }: Figures): string {
  const decisions = allowed + refused;
  if (decisions === 0) return NOTHING;
  const others = [
    ["fallback", fallback],
    ["cache", cache],
  ] as const;
  const present = others.filter(([, count]) => count > 0);
  return present.map(([name, count]) => `${name} ${percent(count, decisions)}`).join(", ") || "store";
}
