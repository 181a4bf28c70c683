/** One run over time: what was offered, what of it was admitted, and the fullest window. */
import uPlot from "uplot";
import type { Run } from "../../src/simulate/tally.js";
import { shortTime, ticks } from "../../src/simulate/time-axis.js";
import { axis, Chart, line } from "../chart/chart.js";
import { colour, faded } from "../chart/palette.js";
import { compact } from "../format.js";

const HEIGHT = 132;
/** So much room has a label on the axis of time. */
const LABEL_PX = 70;
/** As thin as it may be, a mark is seen. */
const THINNEST_PX = 3;

export class RunChart {
  private run: Run | undefined;
  private top = 1;
  private readonly chart: Chart;

  constructor(host: HTMLElement) {
    const stepped = uPlot.paths.stepped!({ align: 1 });
    const area = { paths: stepped, width: 1 };
    this.chart = new Chart(host, {
      height: HEIGHT,
      series: [
        line("refused", { ...area, fill: () => faded("refused", 0.28) }),
        line("admitted", { ...area, fill: () => faded("admitted", 0.75) }),
      ],
      scales: { x: { time: false }, y: { range: () => [0, this.top * 1.05] } },
      axes: [
        {
          ...axis("bottom", 24, shortTime),
          splits: ({ width }) => [
            ...ticks(this.run?.lengthMs ?? 1, Math.max(1, Math.floor(width / LABEL_PX))),
          ],
        },
        axis("left", 40, compact),
      ],
      hooks: { drawClear: [(plot) => this.mark(plot)] },
    });
  }

  /** `top` is the same for all runs that stand beside each other. */
  draw(run: Run, top: number): void {
    [this.run, this.top] = [run, top];
    const last = run.bins[run.bins.length - 1]!;
    const bins = [...run.bins, { ...last, atMs: run.lengthMs }];
    this.chart.draw([
      bins.map(({ atMs }) => atMs),
      bins.map(({ offered }) => offered),
      bins.map(({ admitted }) => admitted),
    ]);
  }

  remove(): void {
    this.chart.remove();
  }

  private mark({ ctx, bbox, valToPos }: uPlot): void {
    const peak = this.run?.peaks[0];
    if (peak === undefined || peak.most === 0) return;
    const from = valToPos(peak.fromMs, "x", true);
    const width = Math.max(THINNEST_PX * uPlot.pxRatio, valToPos(peak.untilMs, "x", true) - from);
    ctx.fillStyle = faded("mark", 0.14);
    ctx.fillRect(from, bbox.top, width, bbox.height);
    ctx.fillStyle = colour("mark");
    ctx.fillRect(from, bbox.top, width, THINNEST_PX * uPlot.pxRatio);
  }
}
