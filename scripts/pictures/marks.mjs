/** How a request is drawn: admitted a disc, refused a cross, so that no one needs the colours. */
import { element, line, text } from "./svg.mjs";

const RADIUS = 4;
const REACH = 3.4;

export function mark(x, y, allowed, size = 1) {
  if (allowed) return element("circle", "blue", { cx: x, cy: y, r: RADIUS * size });
  const reach = REACH * size;
  return [
    line(x - reach, y - reach, x + reach, y + reach, "line bold orange-line"),
    line(x - reach, y + reach, x + reach, y - reach, "line bold orange-line"),
  ];
}

export function legend(right, y) {
  return [
    mark(right - 140, y - 4, true),
    text(right - 131, y, "soft", "admitted"),
    mark(right - 58, y - 4, false),
    text(right - 49, y, "soft", "refused"),
  ];
}
