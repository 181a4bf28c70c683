/** The repository's Markdown: its files, and the code blocks, links and headings in them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../../..");

export interface Block {
  /** Relative to the root. */
  readonly file: string;
  /** Of the opening fence. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language. */
  readonly mark: string;
  readonly text: string;
}

export interface Link {
  readonly line: number;
  readonly target: string;
}

/** What others made, or was built: the package's `docs` is a copy of the error pages. */
const SKIPPED = new Set(["node_modules", "dist", "coverage", ".git", ".tmp", "packages/sluice/docs"]);

/** Paths relative to the root, in order. */
export function filesUnder(folder: string, ending: string): readonly string[] {
  const files = readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.has(entry.name) || SKIPPED.has(path)) return [];
    if (entry.isDirectory()) return filesUnder(path, ending);
    return entry.isFile() && path.endsWith(ending) ? [path] : [];
  });
  return files.sort();
}

export function readText(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

interface Parts {
  readonly blocks: readonly Block[];
  /** The lines outside of blocks, each with its number. */
  readonly prose: readonly { readonly line: number; readonly text: string }[];
}

const FENCE = /^\s*(`{3,})\s*(\S*)\s*(.*?)\s*$/;

function partsOf(file: string): Parts {
  const blocks: Block[] = [];
  const prose: { line: number; text: string }[] = [];
  const lines = readText(file).split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const [, fence, language = "", mark = ""] = FENCE.exec(lines[index]!) ?? [];
    if (fence === undefined) {
      prose.push({ line: index + 1, text: lines[index]! });
      continue;
    }
    const end = lines.findIndex((line, later) => later > index && line.trim() === fence);
    if (end < 0) throw new Error(`${file}:${index + 1}: this code block is never closed.`);
    const text = lines.slice(index + 1, end).join("\n");
    blocks.push({ file, line: index + 1, language, mark, text });
    index = end;
  }
  return { blocks, prose };
}

export function blocksOf(file: string): readonly Block[] {
  return partsOf(file).blocks;
}

/** `// → text` says what is printed, line by line. */
export function expectedOutput({ text }: Block): string {
  return [...text.matchAll(/\/\/ →(?: (.*))?$/gm)].map(([, line = ""]) => line).join("\n");
}

/** `// throws CODE` says how the block ends. */
export function expectedCode({ text }: Block): string | undefined {
  return /\/\/ throws (SLUICE_[A-Z_]+)/.exec(text)?.[1];
}

/** Links and pictures, in Markdown or HTML, to places in this repository. */
export function localLinksOf(file: string): readonly Link[] {
  return partsOf(file).prose.flatMap(({ line, text }) => {
    const visible = text.replace(/`[^`]*`/g, "");
    const links = [...visible.matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href|srcset)="([^"]+)"/g)];
    return links
      .map(([, markdown, html]) => ({ line, target: (markdown ?? html)! }))
      .filter(({ target }) => !/^[a-z]+:/.test(target));
  });
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(file: string): readonly string[] {
  return partsOf(file).prose.flatMap(({ text }) => {
    const heading = /^#{1,6}\s+(.*?)\s*$/.exec(text)?.[1];
    return heading === undefined
      ? []
      : [
          heading
            .toLowerCase()
            .replace(/[^\p{L}\p{N}\s_-]/gu, "")
            .replace(/\s/g, "-"),
        ];
  });
}

/** The code at the beginning of each row, in tables whose first column is headed so. */
export function firstColumnOf(file: string, heading: string): readonly string[] {
  const cells: string[] = [];
  let inside = false;
  for (const { text } of partsOf(file).prose) {
    if (!text.startsWith("|")) inside = false;
    else if (text.startsWith(`| ${heading} |`)) inside = true;
    const cell = /^\| `([^`]+)` \|/.exec(text)?.[1];
    if (inside && cell !== undefined) cells.push(cell);
  }
  return cells;
}

/** Where a link leads, relative to the root, and the heading there. */
export function destination(
  file: string,
  target: string,
): { readonly path: string; readonly anchor: string } {
  const [path = "", anchor = ""] = decodeURI(target).split("#");
  if (path === "") return { path: file, anchor };
  return { path: relative(ROOT, join(ROOT, dirname(file), path)), anchor };
}
