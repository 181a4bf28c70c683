/** Sliding counter: the previous window fading under the current one. */
import { burst } from "./bursts.mjs";
import { levelPanel, note } from "./level.mjs";
import { play } from "./simulate.mjs";
import { timeline } from "./timeline.mjs";

const SPAN_MS = 10_000;

function previousWeight({ instant, previous }, ms) {
  const window = Math.floor(instant / 1000 / SPAN_MS);
  return previous * (1 - (ms - window * SPAN_MS) / SPAN_MS);
}

export async function draw() {
  const played = await play("5/10s sliding-counter", [
    ...burst(6_400, 6),
    ...burst(10_600, 7, 1_000),
    ...burst(18_000, 2, 800),
    ...burst(21_000, 7, 1_000),
  ]);
  const estimate = levelPanel({
    played,
    label: ["estimate"],
    limit: 5,
    height: 124,
    layers: [
      { height: previousWeight, fill: "paler" },
      { height: ({ current }) => current, fill: "pale" },
    ],
    notes: ({ y }) => [
      note(10_300, y(0.6), "previous window, fading"),
      note(16_300, y(2.6), "current window"),
    ],
  });
  return timeline({
    played,
    saying: "the previous window fades while the current one fills",
    title: "The sliding counter on a time line",
    description: "As the weight of the previous window falls, it makes room for requests in the current one.",
    panels: [estimate],
  });
}
