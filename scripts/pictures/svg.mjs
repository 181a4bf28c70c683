/** Just enough SVG: elements as text, and the look that all pictures share. */

export const WIDTH = 860;

const SANS = `-apple-system, BlinkMacSystemFont, "Segoe UI", Helvetica, Arial, sans-serif`;
const MONO = `ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace`;

/** Every colour by its part, for light pages and for dark ones. Blue and orange differ for every eye. */
const LIGHT = {
  card: "#ffffff",
  edge: "#d0d7de",
  ink: "#1f2328",
  soft: "#59636e",
  grid: "#e4e8ec",
  band: "#f3f5f8",
  blue: "#0969da",
  pale: "#bcdcff",
  paler: "#e2f0ff",
  orange: "#bc4c00",
};
const DARK = {
  card: "#151b23",
  edge: "#3d444d",
  ink: "#e6edf3",
  soft: "#9aa4af",
  grid: "#2b323b",
  band: "#1c232d",
  blue: "#58a6ff",
  pale: "#1f4f86",
  paler: "#1a3352",
  orange: "#f0883e",
};

function colours(palette) {
  return Object.entries(palette)
    .flatMap(([name, colour]) => [`.${name}{fill:${colour}}`, `.${name}-line{stroke:${colour}}`])
    .join("");
}

const STYLE = [
  `text{font-family:${SANS};font-size:12px}`,
  `.mono{font-family:${MONO}}.strong{font-weight:600}.small{font-size:11px}.large{font-size:15px}.huge{font-size:20px}`,
  `.end{text-anchor:end}.middle{text-anchor:middle}`,
  `.line{fill:none;stroke-width:1}.firm{stroke-width:1.75}.bold{stroke-width:2.2;stroke-linecap:round}`,
  `.dashed{stroke-dasharray:4 3}.dotted{stroke-dasharray:1.5 3}`,
  colours(LIGHT),
  `@media (prefers-color-scheme:dark){${colours(DARK)}}`,
].join("");

/** Two decimals are finer than any screen, and the same on every machine. */
export function round(value) {
  return typeof value === "number" ? Math.round(value * 100) / 100 : value;
}

function escaped(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** An element; `classes` names its colour and its kind, `content` is markup. */
export function element(name, classes, attributes, content = "") {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(round(value))}"`);
  const opening = `<${name}${classes === "" ? "" : ` class="${classes}"`}${written.join("")}`;
  return content === "" ? `${opening}/>` : `${opening}>${content}</${name}>`;
}

/** `content` is text, or runs of text that follow each other, each with its own classes. */
export function text(x, y, classes, content) {
  const runs = Array.isArray(content) ? content.map(run).join("") : escaped(content);
  return element("text", classes, { x, y }, runs);
}

function run({ words, classes, dx = 0 }) {
  return element("tspan", classes, dx === 0 ? {} : { dx }, escaped(words));
}

export function line(x1, y1, x2, y2, classes) {
  return path(
    [
      [x1, y1],
      [x2, y2],
    ],
    classes,
  );
}

export function path(points, classes, closed = false) {
  const steps = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`);
  return element("path", classes, { d: steps.join("") + (closed ? "Z" : "") });
}

export function rect(x, y, width, height, classes, rx = 0) {
  return element("rect", classes, { x, y, width, height, ...(rx > 0 && { rx }) });
}

/** The whole picture, on a card of its own so that it can be read on any page. */
export function picture({ title, description, height }, parts) {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    element("title", "", { id: "title" }, escaped(title)),
    element("desc", "", { id: "description" }, escaped(description)),
    `<style>${STYLE}</style>`,
    rect(0.5, 0.5, WIDTH - 1, height - 1, "card edge-line", 8),
    ...parts.flat(Number.POSITIVE_INFINITY).filter((part) => part !== ""),
    "</svg>",
  ].join("\n")}\n`;
}
