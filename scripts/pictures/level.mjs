/** A level over time against its limit, read from the algorithm's state. */
import { line, path, text } from "./svg.mjs";
import { END_MS, plumb, scaleLabel, x } from "./timeline.mjs";

/** How often the state is looked at; the instants in the pictures are multiples of it. */
const LOOK_MS = 20;
const JUST_BEFORE_MS = 0.001;
/** Room above the limit, for what refused requests would have taken. */
const HEADROOM = 1.2;

/**
 * `layers` are stacked: each reads its own `height` from a state at an instant and names its `fill`.
 * `behind` and `notes` draw below and above them, given the scale.
 */
export function levelPanel({ played, label, limit, height, layers, behind = () => "", notes = () => "" }) {
  const unit = height / (limit + HEADROOM);

  function draw(top) {
    const bottom = top + height;
    const y = (value) => bottom - value * unit;
    const levels = stacked(layers);
    const level = levels[levels.length - 1];
    return [
      behind({ y, top, bottom }),
      layers.map(({ fill }, index) => path(band(played, y, levels[index], levels[index + 1]), fill, true)),
      path(trace(played, y, level), "line firm blue-line"),
      line(x(0), bottom, x(END_MS), bottom, "line soft-line"),
      line(x(0), y(limit), x(END_MS), y(limit), "line dashed ink-line"),
      scaleLabel(y(limit), String(limit)),
      scaleLabel(bottom, "0"),
      played.requests.map((request) => effect(played, request, level, y)),
      notes({ y, top, bottom }),
    ];
  }

  return { label, height, draw };
}

/** From the floor up: the level below each layer, and last the level above all. */
function stacked(layers) {
  const sum = (count) => (state, ms) =>
    layers.slice(0, count).reduce((total, { height }) => total + height(state, ms), 0);
  return [...layers.keys(), layers.length].map(sum);
}

/** What an admitted request added, or what a refused one would have: it would have stood above the limit. */
function effect(played, { at, allowed }, level, y) {
  const before = level(played.stateAt(at, { before: true }), at);
  const stroke = line(x(at), y(before), x(at), y(before + 1), "line firm orange-line");
  return [plumb(at, allowed, y(before + 1)), allowed ? "" : stroke];
}

function band(played, y, below, above) {
  return [...trace(played, y, above), ...trace(played, y, below).reverse()];
}

/** The level at each look and just before the next, so that a step is drawn upright. */
function trace(played, y, level) {
  const points = [];
  const look = (at, ms) => points.push([x(at), y(level(played.stateAt(ms), ms))]);
  for (let ms = 0; ms < END_MS; ms += LOOK_MS) {
    look(ms, ms);
    look(ms + LOOK_MS, ms + LOOK_MS - JUST_BEFORE_MS);
  }
  return corners(points);
}

/** Without the points that lie on the line between their neighbours. */
function corners(points) {
  const kept = [points[0]];
  for (let index = 1; index < points.length - 1; index += 1) {
    const [fromX, fromY] = kept[kept.length - 1];
    const [atX, atY] = points[index];
    const [toX, toY] = points[index + 1];
    const turn = (atX - fromX) * (toY - fromY) - (atY - fromY) * (toX - fromX);
    if (Math.abs(turn) > 1e-3) kept.push(points[index]);
  }
  return [...kept, points[points.length - 1]];
}

/** Words in a panel, beginning at an instant. */
export function note(ms, y, words) {
  return text(x(ms), y, "small soft", words);
}
