/** The selected limit in full: charts with axes, sums of the shown minutes, and the last values as a table. */
import { spanInWords } from "../../src/explain/duration.js";
import { grouped, percent } from "../../src/explain/numbers.js";
import { LatencyChart } from "../chart/latency-chart.js";
import { RateChart } from "../chart/rate-chart.js";
import { byId, setText } from "../dom/element.js";
import { clock, latency } from "../format.js";
import { fragmentOf } from "../route.js";
import { type Columns, columnsOf, figuresOf } from "./figures.js";
import type { History } from "./history.js";
import { showLastValues } from "./last-values.js";
import { decidersOf } from "./limit-card.js";
import type { Subject } from "./subject.js";

export class LimitDetail {
  private columns: Columns | undefined;
  private readonly rates = new RateChart(byId("detail-rates", HTMLDivElement), {
    height: 220,
    showsTime: true,
    onPoint: (place) =>
      setText(byId("detail-point", HTMLElement), this.columns ? pointOf(this.columns, place) : ""),
  });
  private readonly latencies = new LatencyChart(byId("detail-latencies", HTMLDivElement), 120);

  draw(history: History, subject: Subject, seconds: number): void {
    const columns = columnsOf(history, subject, seconds);
    const isShadow = subject.facts?.shadow ?? false;
    this.columns = columns;
    this.rates.draw(columns, isShadow);
    this.latencies.draw(columns);
    describe(subject);
    setText(byId("detail-sums", HTMLParagraphElement), sumsOf(history, subject, seconds));
    showLastValues(history, subject);
  }
}

function describe({ kind, name, facts }: Subject): void {
  setText(byId("detail-name", HTMLSpanElement), name);
  setText(byId("detail-rule", HTMLElement), facts?.rule ?? "");
  byId("detail-shadow", HTMLParagraphElement).hidden = !facts?.shadow;
  byId("detail-command", HTMLParagraphElement).hidden = kind !== "command";
  const tryIt = byId("detail-try", HTMLAnchorElement);
  tryIt.hidden = facts === undefined;
  if (facts !== undefined) tryIt.href = fragmentOf("playground", { rule: facts.rule });
}

/** Also what a screen reader is told of the charts. */
function sumsOf(history: History, subject: Subject, seconds: number): string {
  const figures = figuresOf(history, subject, seconds);
  const decisions = figures.allowed + figures.refused;
  const over = `In the last ${spanInWords(seconds * 1_000_000)}`;
  if (decisions === 0) return `${over}: no decision.`;
  const shadow = subject.facts?.shadow
    ? `, and ${grouped(figures.shadowRefused)} (${percent(figures.shadowRefused, decisions)}) would have been refused`
    : "";
  return (
    `${over}: ${grouped(figures.allowed)} admitted, ${grouped(figures.refused)} refused ` +
    `(${percent(figures.refused, decisions)})${shadow}; decided by ${withRest(decidersOf(figures))}.`
  );
}

function withRest(deciders: string): string {
  return deciders === "store" ? "the store" : `${deciders}, the rest by the store`;
}

/** What the charts show where the mouse is. */
function pointOf({ at, allowed, refused, p50Ms, p99Ms }: Columns, place: number | undefined): string {
  const [instant, admitted] = [at[place ?? -1], allowed[place ?? -1]];
  if (place === undefined || instant === undefined) return "";
  if (admitted === null || admitted === undefined) return `${clock(instant)} nothing is known`;
  const times =
    p50Ms[place] === null ? "" : `, p50 ${latency(p50Ms[place])}, p99 ${latency(p99Ms[place] ?? undefined)}`;
  return `${clock(instant)} ${grouped(admitted)} admitted, ${grouped(refused[place] ?? 0)} refused${times}`;
}
