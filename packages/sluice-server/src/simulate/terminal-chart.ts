/** A run as bars in a terminal: offered against admitted over time. */

import type { Run } from "./tally.js";
import { shortTime } from "./time-axis.js";

export interface ChartStyle {
  /** Bars in eighths of a character; without it only ASCII is written. */
  readonly unicode: boolean;
  readonly colour: boolean;
}

/** Columns left of the bars: a number and the axis. */
export const GUTTER = 10;

const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const BLUE = "\u001b[34m";
const YELLOW = "\u001b[33m";
const PLAIN = "\u001b[0m";

/** One column for each bin; `top` is the number of units at the upper edge, the same for all runs of a page. */
export function terminalChart(run: Run, top: number, height: number, style: ChartStyle): string {
  const bars = run.bins.map(({ offered, admitted }) => ({
    offered: scaled(offered, top, height, style),
    admitted: scaled(admitted, top, height, style),
  }));
  const rows = Array.from({ length: height }, (_, index) => {
    const row = height - 1 - index;
    const label = row === height - 1 ? amount(top) : "";
    return `${label.padStart(GUTTER - 3)} ${style.unicode ? "│" : "|"} ${painted(
      bars.map(({ offered, admitted }) => cell(row, offered, admitted, style)),
      style,
    )}`.trimEnd();
  });
  return [...rows, ...timeAxis(run, style)].join("\n");
}

interface Cell {
  readonly text: string;
  readonly colour: typeof BLUE | typeof YELLOW | undefined;
}

/** In eighths of a row, or in whole rows where there are no eighths; something is never nothing. */
function scaled(units: number, top: number, height: number, { unicode }: ChartStyle): number {
  if (units === 0 || top === 0) return 0;
  const steps = unicode ? 8 : 1;
  return Math.max(1, Math.round((units / top) * height * steps)) * (8 / steps);
}

/** Admitted from below, and above it what was offered besides. */
function cell(row: number, offered: number, admitted: number, { unicode }: ChartStyle): Cell {
  const bottom = row * 8;
  const filled = Math.min(8, Math.max(0, admitted - bottom));
  if (filled === 8 || (filled > 0 && offered < bottom + 8)) {
    return { text: unicode ? EIGHTHS[filled]! : "#", colour: BLUE };
  }
  if (filled > 4) return { text: unicode ? EIGHTHS[filled]! : "#", colour: BLUE };
  if (offered - bottom >= 4) return { text: unicode ? "░" : ".", colour: YELLOW };
  if (filled > 0) return { text: unicode ? EIGHTHS[filled]! : "#", colour: BLUE };
  return { text: offered > bottom && unicode ? "░" : " ", colour: YELLOW };
}

/** Neighbours of one colour share their codes. */
function painted(cells: readonly Cell[], { colour }: ChartStyle): string {
  let text = "";
  let current: string | undefined;
  for (const { text: character, colour: wanted } of cells) {
    const next = colour && character !== " " ? wanted : undefined;
    if (next !== current) text += next ?? PLAIN;
    current = next;
    text += character;
  }
  return current === undefined ? text : text + PLAIN;
}

function timeAxis({ bins, lengthMs, binMs }: Run, { unicode }: ChartStyle): readonly string[] {
  const gutter = " ".repeat(GUTTER);
  const line = (unicode ? "─" : "-").repeat(bins.length);
  const end = shortTime(lengthMs);
  const middle = shortTime(lengthMs / 2);
  const half = Math.floor((bins.length - middle.length) / 2);
  const labels = `0${" ".repeat(Math.max(1, half - 1))}${middle}`;
  const times = `${labels.padEnd(Math.max(labels.length + 1, bins.length - end.length))}${end}`;
  return [
    `${"0".padStart(GUTTER - 3)} ${unicode ? "└" : "+"}${unicode ? "─" : "-"}${line}`,
    `${gutter}${times}`,
    `${gutter}one column is ${shortTime(binMs)}`,
  ];
}

export function legend({ unicode, colour }: ChartStyle): string {
  const [admitted, refused] = unicode ? ["█", "░"] : ["#", "."];
  return colour
    ? `${BLUE}${admitted}${PLAIN} admitted  ${YELLOW}${refused}${PLAIN} refused`
    : `${admitted} admitted  ${refused} refused`;
}

function amount(units: number): string {
  return units < 1_000_000 ? String(units) : units.toExponential(1).replace("+", "");
}
