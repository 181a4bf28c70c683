/** A uPlot that is as wide as its place, drawn in the colours of the page. */
import uPlot from "uplot";
import { type ColourName, colour } from "./palette.js";

export type Data = uPlot.AlignedData;

export interface ChartOptions {
  readonly height: number;
  readonly series: readonly uPlot.Series[];
  readonly scales: uPlot.Scales;
  readonly axes: readonly uPlot.Axis[];
  readonly hooks?: uPlot.Hooks.Arrays;
  /** Told which value the mouse is at; undefined when it is elsewhere. */
  readonly onPoint?: (place: number | undefined) => void;
}

const all = new Set<Chart>();

export class Chart {
  private readonly plot: uPlot;
  private readonly watcher: ResizeObserver;

  constructor(host: HTMLElement, { height, series, scales, axes, hooks = {}, onPoint }: ChartOptions) {
    this.plot = new uPlot(
      {
        width: Math.max(1, host.clientWidth),
        height,
        series: [{}, ...series],
        scales,
        axes: [...axes],
        hooks: { ...hooks, setCursor: [({ cursor }) => onPoint?.(cursor.idx ?? undefined)] },
        legend: { show: false },
        cursor: { show: onPoint !== undefined, y: false, drag: { x: false }, points: { show: false } },
        padding: [8, 18, 6, 0],
      },
      undefined,
      host,
    );
    this.watcher = new ResizeObserver(() => {
      const width = host.clientWidth;
      if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
    });
    this.watcher.observe(host);
    all.add(this);
  }

  draw(data: Data): void {
    this.plot.setData(data);
  }

  redraw(): void {
    this.plot.redraw();
  }

  remove(): void {
    all.delete(this);
    this.watcher.disconnect();
    this.plot.destroy();
  }
}

/** In other colours, after these have changed. */
export function redrawAll(): void {
  for (const chart of all) chart.redraw();
}

const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** An axis in the quiet colours; numbers are `written` as told. */
export function axis(side: "bottom" | "left", size: number, written: (value: number) => string): uPlot.Axis {
  return {
    side: side === "bottom" ? 2 : 3,
    scale: side === "bottom" ? "x" : "y",
    size,
    gap: 4,
    font: FONT,
    space: side === "bottom" ? 72 : 26,
    stroke: () => colour("soft"),
    grid: { show: side === "left", stroke: () => colour("grid"), width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map((value) => (value === null ? "" : written(value))),
  };
}

/** From nothing to a little above the highest, and at least to `least`. */
export function fromZero(least: number): uPlot.Range.Function {
  return (_, __, highest) => [0, Math.max(least, highest * 1.05)];
}

export function line(name: ColourName, options: Partial<uPlot.Series> = {}): uPlot.Series {
  return { stroke: () => colour(name), width: 1.5, points: { show: false }, ...options };
}
