/** One rule of a simulation: its chart, and in words what it admitted at most. */
import { spanInWords } from "../../src/explain/duration.js";
import { grouped, percent } from "../../src/explain/numbers.js";
import type { LimitPeak } from "../../src/simulate/limit-peaks.js";
import { summarySentence } from "../../src/simulate/summary-table.js";
import type { Run } from "../../src/simulate/tally.js";
import { shortTime } from "../../src/simulate/time-axis.js";
import { element, setText } from "../dom/element.js";
import { RunChart } from "./run-chart.js";

export class RunPanel {
  readonly element: HTMLElement;
  private readonly rule = element("code", { class: "rule" });
  private readonly share = element("span", { class: "soft" });
  private readonly place = element("div", { class: "chart", role: "img" });
  private readonly peaks = element("figcaption");
  private chart: RunChart | undefined;

  constructor() {
    const heading = element("h4", {}, this.rule);
    this.element = element("figure", { class: "run" }, heading, this.share, this.place, this.peaks);
  }

  /** Called when its element is in the document, since a chart is as wide as its place. */
  show(run: Run, top: number): void {
    const { rule, admitted, offered, peaks } = run;
    setText(this.rule, rule);
    setText(
      this.share,
      `${grouped(admitted.units)} of ${grouped(offered.units)} admitted (${percent(admitted.units, offered.units)})`,
    );
    this.place.setAttribute("aria-label", summarySentence(run));
    this.peaks.replaceChildren(...peaks.map((peak) => peakElement(peak, peaks.length > 1)));
    this.chart ??= new RunChart(this.place);
    this.chart.draw(run, top);
  }

  remove(): void {
    this.chart?.remove();
    this.element.remove();
  }
}

/** The chart marks the first of them. */
function peakElement({ rule, limit, windowMs, most, fromMs }: LimitPeak, isOneOfMany: boolean): HTMLElement {
  const isOver = most > limit;
  const of = isOneOfMany ? `${rule}: ` : "";
  const over = isOver ? `, ${percent(most - limit, limit)} above the limit` : "";
  const since = most === 0 ? "" : `, from ${shortTime(fromMs)} on`;
  return element(
    "p",
    { class: isOver ? "peak over" : "peak" },
    `${of}at most `,
    element("strong", {}, grouped(most)),
    ` in any ${spanInWords(windowMs * 1000)}${over}${since}`,
  );
}
