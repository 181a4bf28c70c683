/** AR(1): one value that fades at each slot. */
import { burst } from "./bursts.mjs";
import { levelPanel } from "./level.mjs";
import { play } from "./simulate.mjs";
import { timeline } from "./timeline.mjs";

export async function draw() {
  const played = await play("5/10s:1s ar1", [
    ...burst(1_200, 7, 500),
    ...burst(5_400, 4, 1_000),
    ...burst(10_200, 2, 700),
    ...burst(20_200, 6, 500),
    26_400,
    28_600,
  ]);
  const value = levelPanel({
    played,
    label: ["value"],
    limit: 5,
    height: 124,
    layers: [{ height: ({ value }) => value, fill: "paler" }],
  });
  return timeline({
    played,
    saying: "each second leaves nine tenths of the value",
    title: "AR(1) on a time line",
    description:
      "The value rises by one with each admitted request, shrinks by a tenth each second and never passes five.",
    panels: [value],
  });
}
