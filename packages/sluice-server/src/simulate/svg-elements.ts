/** Just enough SVG: elements as text, and the look of our charts on light pages and on dark ones. */

export const WIDTH = 860;

const SANS = `-apple-system, BlinkMacSystemFont, "Segoe UI", Helvetica, Arial, sans-serif`;
const MONO = `ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace`;

/** Blue and orange differ for every eye. */
const LIGHT = {
  card: "#ffffff",
  edge: "#d0d7de",
  ink: "#1f2328",
  soft: "#59636e",
  grid: "#e4e8ec",
  blue: "#0969da",
  orange: "#bc4c00",
};
const DARK = {
  card: "#151b23",
  edge: "#3d444d",
  ink: "#e6edf3",
  soft: "#9aa4af",
  grid: "#2b323b",
  blue: "#58a6ff",
  orange: "#f0883e",
};

function colours(palette: Readonly<Record<string, string>>): string {
  return Object.entries(palette)
    .flatMap(([name, colour]) => [`.${name}{fill:${colour}}`, `.${name}-line{stroke:${colour}}`])
    .join("");
}

const STYLE = [
  `text{font-family:${SANS};font-size:12px}`,
  `.mono{font-family:${MONO}}.strong{font-weight:600}.large{font-size:15px}.small{font-size:11px}`,
  `.end{text-anchor:end}.middle{text-anchor:middle}.line{fill:none;stroke-width:1}.firm{stroke-width:2}`,
  `.dashed{stroke-dasharray:4 3}.pale{fill-opacity:.45}`,
  colours(LIGHT),
  `@media (prefers-color-scheme:dark){${colours(DARK)}}`,
].join("");

/** What stands for itself in any document: no markup, and no character that XML does not know. */
export function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;")
  );
}

/** Two decimals are finer than any screen, and the same on every machine. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

type Attributes = Readonly<Record<string, number | string>>;

export function element(name: string, classes: string, attributes: Attributes, content = ""): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? round(value) : escaped(value)}"`,
  );
  const opening = `<${name}${classes === "" ? "" : ` class="${classes}"`}${written.join("")}`;
  return content === "" ? `${opening}/>` : `${opening}>${content}</${name}>`;
}

export function text(x: number, y: number, classes: string, words: string): string {
  return element("text", classes, { x, y }, escaped(words));
}

export function line(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return element("path", `line ${classes}`, { d: `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}` });
}

export interface Picture {
  readonly title: string;
  readonly description: string;
  readonly height: number;
  /** Begins the ids of this picture, for pages with several. */
  readonly id: string;
}

/** The whole picture, on a card of its own so that it can be read on any page. */
export function picture({ title, description, height, id }: Picture, parts: readonly string[]): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-description">`,
    element("title", "", { id: `${id}-title` }, escaped(title)),
    element("desc", "", { id: `${id}-description` }, escaped(description)),
    `<style>${STYLE}</style>`,
    element("rect", "card edge-line", { x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 8 }),
    ...parts,
    "</svg>",
  ].join("\n")}\n`;
}
