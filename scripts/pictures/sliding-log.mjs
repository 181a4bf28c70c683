/** Sliding log: every unit holds a place for exactly one span. */
import { burst } from "./bursts.mjs";
import { play } from "./simulate.mjs";
import { line, rect } from "./svg.mjs";
import { bracket, END_MS, plumb, scaleLabel, timeline, x } from "./timeline.mjs";

const SPAN_MS = 10_000;
const LIMIT = 5;
const LANE = 22;
/** A refused request whose last span is shown. */
const SHOWN_MS = 11_000;

export async function draw() {
  const played = await play("5/10s", [
    2_000,
    3_200,
    4_400,
    6_000,
    8_000,
    9_400,
    SHOWN_MS,
    12_000,
    12_600,
    13_200,
    ...burst(16_600, 5),
    24_000,
    27_000,
  ]);
  const held = played.stateAt(SHOWN_MS).count;
  const places = {
    label: ["the log:", "5 places"],
    height: LIMIT * LANE,
    draw: (top) => [
      rect(x(SHOWN_MS - SPAN_MS), top, x(SPAN_MS) - x(0), LIMIT * LANE + 44, "band"),
      Array.from({ length: LIMIT }, (_, place) => [
        scaleLabel(top + (place + 0.5) * LANE, String(place + 1)),
        line(x(0), top + (place + 1) * LANE, x(END_MS), top + (place + 1) * LANE, "line grid-line"),
      ]),
      line(x(0), top, x(END_MS), top, "line grid-line"),
      played.requests.map((request) => entry(played, request, top)),
    ],
  };
  const window = {
    label: ["in view"],
    height: 30,
    draw: (top) =>
      bracket(SHOWN_MS - SPAN_MS, SHOWN_MS, top + 20, `the last 10 s hold ${held} units: refused`),
  };
  return timeline({
    played,
    saying: "each unit holds a place for exactly 10 s",
    title: "The sliding log on a time line",
    description: "A request is admitted when one of the five places is free, and keeps it for ten seconds.",
    panels: [places, window],
  });
}

/** The place an admitted unit took in the ring, from when it came until it is exactly one span old. */
function entry(played, { at, allowed }, top) {
  if (!allowed) return plumb(at, false, top + LIMIT * LANE);
  const { places, first, count } = played.stateAt(at);
  const y = top + ((first + count - 1) % places.length) * LANE;
  const until = Math.min(END_MS, at + SPAN_MS);
  return [
    rect(x(at), y + 3, x(until) - x(at), LANE - 6, "pale", 3),
    rect(x(at), y + 3, 4, LANE - 6, "blue", 2),
    plumb(at, true, y + 3),
  ];
}
