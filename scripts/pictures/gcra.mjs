/** GCRA: the debt as a sawtooth. */
import { burst } from "./bursts.mjs";
import { levelPanel, note } from "./level.mjs";
import { play } from "./simulate.mjs";
import { timeline } from "./timeline.mjs";

/** What one request adds to the debt of `5/10s`, whose numbers share the divisor 5. */
const PRICE = 2_000_000;

export async function draw() {
  const played = await play("5/10s gcra", [
    ...burst(1_000, 9),
    ...burst(7_000, 4, 1_000),
    ...burst(17_000, 6),
    ...burst(23_000, 4, 2_000),
  ]);
  const debt = levelPanel({
    played,
    label: ["debt,", "in requests"],
    limit: 5,
    height: 124,
    layers: [{ height: ({ debt }) => debt / PRICE, fill: "paler" }],
    notes: ({ y }) => [note(23_100, y(0.5), "one every 2 s: never refused")],
  });
  return timeline({
    played,
    saying: "each request adds 1 to the debt, and 1 drains away every 2 s",
    title: "GCRA on a time line",
    description: "The debt rises by one with each admitted request, drains evenly and never passes five.",
    panels: [debt],
  });
}
