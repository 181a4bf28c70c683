/** Fixed window: a count that starts again at each boundary. */
import { burst } from "./bursts.mjs";
import { levelPanel } from "./level.mjs";
import { busiest, play } from "./simulate.mjs";
import { rect, text } from "./svg.mjs";
import { bracket, END_MS, timeline, x } from "./timeline.mjs";

const SPAN_MS = 10_000;

export async function draw() {
  const played = await play("5/10s fixed-window", [
    ...burst(6_400, 6),
    ...burst(10_400, 6),
    15_000,
    17_000,
    ...burst(21_000, 3, 2_000),
  ]);
  const { count, from, to } = busiest(played.requests, SPAN_MS);
  const counts = levelPanel({
    played,
    label: ["count in", "the window"],
    limit: 5,
    height: 124,
    layers: [{ height: ({ count }) => count, fill: "paler" }],
    behind: ({ top, bottom }) => windows(top, bottom),
  });
  const peak = {
    label: ["busiest", "10 s"],
    height: 34,
    draw: (top) => bracket(from, to, top + 24, `${count} admitted within ${(to - from) / 1000} s`),
  };
  return timeline({
    played,
    saying: "a count that starts again with each window of the clock",
    title: "The fixed window on a time line",
    description:
      "Five requests are admitted at the end of the first window and five more at the start of the second.",
    panels: [counts, peak],
  });
}

/** Every other one shaded, each with its number below. */
function windows(top, bottom) {
  const parts = [];
  for (let from = 0; from < END_MS; from += SPAN_MS) {
    const number = from / SPAN_MS;
    if (number % 2 === 1) parts.push(rect(x(from), top, x(SPAN_MS) - x(0), bottom - top, "band"));
    parts.push(text(x(from + SPAN_MS / 2), bottom + 16, "small soft middle", `window ${number + 1}`));
  }
  return parts;
}
