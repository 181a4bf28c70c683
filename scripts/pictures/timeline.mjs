/** A time axis, requests upon it, and the panels below that share it. */
import { legend, mark } from "./marks.mjs";
import { line, picture, text, WIDTH } from "./svg.mjs";

const MARGIN = 28;
const LEFT = 128;
const RIGHT = WIDTH - 32;
const HEADING_Y = 36;
const REQUESTS_Y = 74;
const PANELS_Y = 98;
const GAP = 24;
const BELOW = 44;
const TICK_MS = 5_000;

export const END_MS = 30_000;

export function x(ms) {
  return LEFT + ((RIGHT - LEFT) * ms) / END_MS;
}

/** A panel has a `height`, the lines of its `label`, and `draw`, a function of its top edge. */
export function timeline({ played, saying, title, description, panels }) {
  const tops = panels.map((_, index) =>
    panels.slice(0, index).reduce((top, { height }) => top + height + GAP, PANELS_Y),
  );
  const bottom = tops[tops.length - 1] + panels[panels.length - 1].height;
  return picture({ title, description, height: bottom + BELOW }, [
    heading(played.rule, saying),
    axis(bottom),
    sideLabel(["requests"], REQUESTS_Y),
    panels.map(({ label, height, draw }, index) => [
      sideLabel(label, tops[index] + height / 2),
      draw(tops[index]),
    ]),
    played.requests.map(({ at, allowed }) => mark(x(at), REQUESTS_Y, allowed)),
  ]);
}

function heading(rule, saying) {
  return [
    text(MARGIN, HEADING_Y, "", [
      { words: rule, classes: "mono strong large ink" },
      { words: saying, classes: "soft", dx: 14 },
    ]),
    legend(RIGHT, HEADING_Y),
  ];
}

function axis(bottom) {
  const ticks = [];
  for (let ms = 0; ms <= END_MS; ms += TICK_MS) {
    ticks.push(line(x(ms), REQUESTS_Y - 14, x(ms), bottom + 6, "line grid-line"));
    ticks.push(text(x(ms), bottom + 22, "soft small middle", `${ms / 1000} s`));
  }
  return ticks;
}

/** Lines of text in the margin, centred on a height. */
function sideLabel(lines, centre) {
  const first = centre + 4 - 7.5 * (lines.length - 1);
  return lines.map((words, index) => text(MARGIN, first + 15 * index, "soft", words));
}

/** A number on the scale of a panel. */
export function scaleLabel(y, words) {
  return text(LEFT - 8, y + 4, "small soft end", words);
}

/** A thin line from a request down to what it changed. */
export function plumb(at, allowed, to) {
  return line(x(at), REQUESTS_Y + 8, x(at), to, `line dotted ${allowed ? "blue" : "orange"}-line`);
}

/** A bracket over a stretch of time, open below, with words above its middle. */
export function bracket(from, to, y, words) {
  const [left, right] = [x(from), x(to)];
  return [
    line(left, y, right, y, "line ink-line"),
    line(left, y, left, y + 5, "line ink-line"),
    line(right, y, right, y + 5, "line ink-line"),
    text((left + right) / 2, y - 6, "small ink middle", words),
  ];
}
