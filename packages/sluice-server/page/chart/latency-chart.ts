/** How long decisions took, second by second: the median, and what one in a hundred exceeds. */
import { clock, latency } from "../format.js";
import type { Columns } from "../live/figures.js";
import { axis, Chart, fromZero, line } from "./chart.js";

export class LatencyChart {
  private readonly chart: Chart;

  constructor(host: HTMLElement, height: number) {
    this.chart = new Chart(host, {
      height,
      series: [line("soft", { dash: [5, 3] }), line("ink")],
      scales: { x: { time: false }, y: { range: fromZero(0.01) } },
      axes: [axis("bottom", 24, clock), axis("left", 56, (value) => (value === 0 ? "0" : latency(value)))],
    });
  }

  draw({ at, p50Ms, p99Ms }: Columns): void {
    this.chart.draw([at, p99Ms, p50Ms]);
  }

  remove(): void {
    this.chart.remove();
  }
}
