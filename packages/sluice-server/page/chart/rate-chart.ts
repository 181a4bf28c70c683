/** Admitted and refused a second, over the last minutes. */
import { clock, compact } from "../format.js";
import type { Columns } from "../live/figures.js";
import { axis, Chart, type ChartOptions, fromZero, line } from "./chart.js";
import { faded } from "./palette.js";

export interface RateChartOptions {
  readonly height: number;
  readonly showsTime: boolean;
  readonly onPoint?: NonNullable<ChartOptions["onPoint"]>;
}

export class RateChart {
  private readonly chart: Chart;

  constructor(host: HTMLElement, { height, showsTime, onPoint }: RateChartOptions) {
    this.chart = new Chart(host, {
      height,
      ...(onPoint !== undefined && { onPoint }),
      series: [
        line("admitted", { fill: () => faded("admitted", 0.16) }),
        line("refused", { fill: () => faded("refused", 0.16) }),
        line("refused", { dash: [4, 3] }),
      ],
      scales: { x: { time: false }, y: { range: fromZero(1) } },
      axes: [
        { ...axis("bottom", showsTime ? 24 : 4, clock), show: showsTime },
        axis("left", showsTime ? 56 : 40, compact),
      ],
    });
  }

  draw({ at, allowed, refused, shadowRefused }: Columns, isShadow: boolean): void {
    const nothing = at.map(() => null);
    this.chart.draw([at, allowed, isShadow ? nothing : refused, isShadow ? shadowRefused : nothing]);
  }

  remove(): void {
    this.chart.remove();
  }
}
