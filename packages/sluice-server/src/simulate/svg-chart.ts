/** Runs of one traffic as an SVG picture: a panel for each rule, offered against admitted, the fullest window marked. */
import { spanInWords } from "../explain/duration.js";
import { grouped, percent } from "../explain/numbers.js";
import type { LimitPeak } from "./limit-peaks.js";
import { summarySentence } from "./summary-table.js";
import { element, line, picture, round, text, WIDTH } from "./svg-elements.js";
import type { Run } from "./tally.js";
import { shortTime, ticks } from "./time-axis.js";

const MARGIN = 28;
const LEFT = 72;
const RIGHT = WIDTH - MARGIN;
const HEADING_Y = 36;
const PANELS_Y = 60;
const PANEL = 96;
/** Above a panel its words, below it the mark of the fullest window. */
const ABOVE = 30;
const BELOW = 30;
const MOST_TICKS = 8;
/** What fits beside the numbers. */
const LONGEST_RULE = 70;

export function svgChart(runs: readonly Run[], id = "simulation"): string {
  const [first] = runs;
  if (first === undefined) throw new RangeError("A chart shows at least one run.");
  const top = Math.max(1, ...runs.flatMap(({ bins }) => bins.map(({ offered }) => offered)));
  const place = (index: number) => PANELS_Y + index * (ABOVE + PANEL + BELOW) + ABOVE;
  const bottom = place(runs.length - 1) + PANEL + BELOW;
  return picture(
    {
      title: `${first.traffic} for ${shortTime(first.lengthMs)}`,
      description: runs.map(summarySentence).join(" "),
      height: bottom + 24,
      id,
    },
    [
      text(MARGIN, HEADING_Y, "strong large ink", `${first.traffic} for ${shortTime(first.lengthMs)}`),
      ...legend(),
      ...axis(first, PANELS_Y + 8, bottom),
      ...runs.flatMap((run, index) => panel(run, top, place(index))),
    ],
  );
}

function x(ms: number, { lengthMs }: Run): number {
  return LEFT + ((RIGHT - LEFT) * ms) / lengthMs;
}

function legend(): readonly string[] {
  return [
    element("rect", "blue", { x: RIGHT - 150, y: HEADING_Y - 10, width: 11, height: 11 }),
    text(RIGHT - 134, HEADING_Y, "soft", "admitted"),
    element("rect", "orange pale", { x: RIGHT - 66, y: HEADING_Y - 10, width: 11, height: 11 }),
    text(RIGHT, HEADING_Y, "soft end", "refused"),
  ];
}

function axis(run: Run, top: number, bottom: number): readonly string[] {
  return ticks(run.lengthMs, MOST_TICKS).flatMap((ms) => [
    line(x(ms, run), top, x(ms, run), bottom, "grid-line"),
    text(x(ms, run), bottom + 14, "soft small middle", shortTime(ms)),
  ]);
}

function panel(run: Run, top: number, y: number): readonly string[] {
  const { rule, offered, admitted, bins } = run;
  const share = `${grouped(admitted.units)} of ${grouped(offered.units)} admitted (${percent(admitted.units, offered.units)})`;
  const steps = (value: (bin: Run["bins"][number]) => number) => area(run, bins.map(value), top, y);
  return [
    text(MARGIN, y - 10, "mono strong ink", shortened(rule)),
    text(RIGHT, y - 10, "soft end", share),
    element("path", "orange pale", { d: steps(({ offered }) => offered) }),
    element("path", "blue", { d: steps(({ admitted }) => admitted) }),
    line(LEFT, y + PANEL, RIGHT, y + PANEL, "soft-line"),
    text(LEFT - 8, y + 8, "soft small end", grouped(top)),
    text(LEFT - 8, y + PANEL, "soft small end", "0"),
    ...(run.peaks[0] === undefined ? [] : fullest(run, run.peaks[0], y + PANEL + 8)),
  ];
}

function shortened(rule: string): string {
  return rule.length > LONGEST_RULE ? `${rule.slice(0, LONGEST_RULE)}…` : rule;
}

/** A flat step for each bin, from the left edge to the right one. */
function area(run: Run, values: readonly number[], top: number, y: number): string {
  const height = (value: number) => round(y + PANEL - (PANEL * value) / top);
  const steps = values.map((value, index) => `V${height(value)}H${round(x((index + 1) * run.binMs, run))}`);
  return `M${LEFT} ${y + PANEL}${steps.join("")}V${y + PANEL}Z`;
}

/** A stroke under the stretch in which most were admitted; words beside it, on the side that has room. */
function fullest(
  run: Run,
  { most, limit, windowMs, fromMs, untilMs }: LimitPeak,
  y: number,
): readonly string[] {
  if (most === 0) return [];
  const [from, until] = [x(fromMs, run), Math.max(x(fromMs, run) + 2, x(untilMs, run))];
  const words = `${grouped(most)} in ${spanInWords(windowMs * 1000).replace(/^(?=\D)/, "one ")}, limit ${grouped(limit)}`;
  const middle = Math.min(Math.max((from + until) / 2, LEFT + 80), RIGHT - 80);
  return [
    line(from, y, until, y, `firm ${most > limit ? "orange" : "ink"}-line`),
    text(middle, y + 13, `small middle ${most > limit ? "orange" : "soft"}`, words),
  ];
}
