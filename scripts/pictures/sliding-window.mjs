/** Sliding window: counts in buckets, each forgotten as a whole. */
import { levelPanel } from "./level.mjs";
import { play } from "./simulate.mjs";
import { rect, text } from "./svg.mjs";
import { END_MS, timeline, x } from "./timeline.mjs";

const SPAN_MS = 10_000;
const BUCKET_MS = 2_000;
/** As many buckets as are alive at once: when one takes a lane, the one before it there has just died. */
const LANES = SPAN_MS / BUCKET_MS;
const LANE = 18;

export async function draw() {
  const played = await play(
    "5/10s:2s",
    [
      1_400, 2_600, 3_400, 6_400, 7_200, 8_600, 9_400, 10_000, 10_800, 12_000, 12_800, 13_600, 15_000, 16_600,
      17_400, 18_200, 20_600, 23_000, 24_400, 25_200, 28_400,
    ],
  );
  const buckets = {
    label: ["buckets", "of 2 s"],
    height: LANES * LANE,
    draw: (top) => Array.from({ length: END_MS / BUCKET_MS }, (_, bucket) => life(played, bucket, top)),
  };
  const total = levelPanel({
    played,
    label: ["live total"],
    limit: 5,
    height: 96,
    layers: [{ height: liveTotal, fill: "paler" }],
  });
  return timeline({
    played,
    saying: "a unit is forgotten 8 s to 10 s after it came, with its bucket",
    title: "The sliding window on a time line",
    description:
      "Each bucket counts for 10 s from its beginning; requests are refused while five units are alive.",
    panels: [buckets, total],
  });
}

/** A bucket while it fills, with its count, and until it dies: a span after it began. */
function life(played, bucket, top) {
  const from = bucket * BUCKET_MS;
  const count = unitsIn(bucket, played.stateAt(from + BUCKET_MS - 1));
  if (count === 0) return "";
  const y = top + (bucket % LANES) * LANE;
  const width = (ms) => x(Math.min(END_MS, from + ms)) - x(from);
  return [
    rect(x(from), y + 2, width(SPAN_MS), LANE - 4, "paler", 3),
    rect(x(from), y + 2, width(BUCKET_MS), LANE - 4, "pale", 3),
    text(x(from) + width(BUCKET_MS) / 2, y + LANE / 2 + 4, "small strong ink middle", String(count)),
  ];
}

function liveTotal({ places, first, count, forgotten }) {
  return count === 0 ? 0 : places[((2 * (first + count - 1)) % places.length) + 1] - forgotten;
}

/** A record is when a bucket was last charged, and the running count by then; the difference is the bucket's own. */
function unitsIn(bucket, { places, first, count, forgotten }) {
  let before = forgotten;
  for (let index = 0; index < count; index += 1) {
    const place = (2 * (first + index)) % places.length;
    if (Math.floor(places[place] / 1000 / BUCKET_MS) === bucket) return places[place + 1] - before;
    before = places[place + 1];
  }
  return 0;
}
