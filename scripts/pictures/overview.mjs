/** The same requests through all six algorithms, one row each. */
import { burst } from "./bursts.mjs";
import { legend, mark } from "./marks.mjs";
import { busiest, play } from "./simulate.mjs";
import { element, line, picture, rect, text, WIDTH } from "./svg.mjs";

/** Each with the quota of five in ten seconds, and what the number beside its row is a sign of. */
const ROWS = [
  { name: "sliding-log", rule: "5/10s", character: "never more" },
  { name: "sliding-window", rule: "5/10s:1s", character: "off by a bucket" },
  { name: "fixed-window", rule: "5/10s fixed-window", character: "twice, at a boundary" },
  { name: "sliding-counter", rule: "5/10s sliding-counter", character: "an estimate" },
  { name: "gcra", rule: "5/10s gcra", character: "a burst, then the rate" },
  { name: "ar1", rule: "5/10s:1s ar1", character: "a burst, then it fades" },
];
const OFFERED = [
  ...burst(7_000, 7, 400),
  ...burst(10_400, 7, 400),
  ...[13_800, 15_400, 17_000, 17_800],
  ...burst(19_000, 4, 400),
  ...burst(21_000, 4, 400),
  ...burst(25_000, 10, 400),
];
const SPAN_MS = 10_000;
const BEGIN_MS = 6_500;
const END_MS = 29_500;
const TICK_MS = 5_000;

const MARGIN = 28;
const LEFT = 192;
const RIGHT = 704;
const NUMBERS = WIDTH - 88;
const HEADING_Y = 36;
const OFFERED_Y = 82;
const ROWS_Y = 126;
const ROW = 52;
const MARK_SIZE = 0.85;
const BAR = 3.5;

function x(ms) {
  return LEFT + ((RIGHT - LEFT) * (ms - BEGIN_MS)) / (END_MS - BEGIN_MS);
}

export async function draw() {
  const rows = [];
  for (const row of ROWS) {
    const { requests } = await play(row.rule, OFFERED);
    rows.push({ ...row, requests, peak: busiest(requests, SPAN_MS) });
  }
  const bottom = ROWS_Y + ROW * rows.length - 10;
  const peaks = rows.map(({ name, peak }) => `${name} ${peak.count}`).join(", ");
  return picture(
    {
      title: `The same ${OFFERED.length} requests through six algorithms, each with a quota of 5 in 10 s`,
      description: `The most admitted in any 10 s: ${peaks}.`,
      height: bottom + 42,
    },
    [heading(), axis(bottom), offered(), rows.map((row, index) => drawRow(row, ROWS_Y + ROW * index))],
  );
}

function heading() {
  return [
    text(MARGIN, HEADING_Y, "", [
      { words: "Five in ten seconds, six ways", classes: "strong large ink" },
      { words: `the same ${OFFERED.length} requests in each row`, classes: "soft", dx: 14 },
    ]),
    legend(WIDTH - 32, HEADING_Y),
  ];
}

/** Stronger lines where a window of the clock begins. */
function axis(bottom) {
  const ticks = [];
  for (let ms = Math.ceil(BEGIN_MS / TICK_MS) * TICK_MS; ms <= END_MS; ms += TICK_MS) {
    const kind = ms % SPAN_MS === 0 ? "soft-line dashed" : "grid-line";
    ticks.push(line(x(ms), OFFERED_Y - 14, x(ms), bottom + 6, `line ${kind}`));
    ticks.push(text(x(ms), bottom + 22, "soft small middle", `${ms / 1000} s`));
  }
  return ticks;
}

function offered() {
  return [
    text(MARGIN, OFFERED_Y + 4, "soft", "offered"),
    OFFERED.map((at) =>
      element("circle", "card soft-line", { cx: x(at), cy: OFFERED_Y, r: 3, "stroke-width": 1.4 }),
    ),
    text(NUMBERS, OFFERED_Y - 4, "soft small middle", "most admitted"),
    text(NUMBERS, OFFERED_Y + 10, "soft small middle", "in any 10 s"),
    rect(NUMBERS - 24, OFFERED_Y + 18, 48, BAR, "soft", BAR / 2),
  ];
}

/** Below the marks, a bar over the stretch in which most were admitted. */
function drawRow({ name, rule, character, requests, peak }, top) {
  return [
    line(MARGIN, top - 12, WIDTH - MARGIN, top - 12, "line grid-line"),
    text(MARGIN, top + 11, "strong ink", name),
    text(MARGIN, top + 27, "mono small soft", rule),
    requests.map(({ at, allowed }) => mark(x(at), top + 11, allowed, MARK_SIZE)),
    rect(x(peak.from) - 4, top + 23, x(peak.to) - x(peak.from) + 8, BAR, "soft", BAR / 2),
    text(NUMBERS, top + 13, "strong huge middle ink", String(peak.count)),
    text(NUMBERS, top + 30, "small soft middle", character),
  ];
}
