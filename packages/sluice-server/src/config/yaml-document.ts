/** Text to a YAML document, and its mistakes of syntax in our words. */
import { type Document, isScalar, parseDocument, visit, type YAMLError } from "yaml";
import type { Range } from "./finding.js";

export interface SyntaxMistake {
  readonly message: string;
  readonly range: Range;
}

export interface ReadDocument {
  readonly document: Document.Parsed;
  /** In the order of the file. */
  readonly mistakes: readonly SyntaxMistake[];
}

/** What follows a mistake is often only its echo. */
const MOST_MISTAKES = 20;

const MESSAGES: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  TAB_AS_INDENT: "A line is indented by spaces, and this is a tab.",
  BLOCK_AS_IMPLICIT_KEY:
    'A second ": " in one line, or a line that is indented too far. Text that holds ": " stands in quotes.',
  MULTILINE_IMPLICIT_KEY: 'A name and its ":" stand on one line.',
  MULTIPLE_DOCS: 'A configuration is one document, and behind "---" there is a second one.',
  TAG_RESOLVE_FAILED: "A configuration has no tags. Text that begins with a ! stands in quotes.",
  BAD_SCALAR_START: "No text begins with this sign unless it stands in quotes.",
  BAD_DQ_ESCAPE:
    "In double quotes a backslash begins an escape, and this is none. Write it twice, or use single quotes.",
  BAD_ALIAS: "Behind & and * there is a name. Text that begins with one of them stands in quotes.",
  BAD_INDENT: "This line is not indented as the lines that it belongs to.",
  MISSING_CHAR: 'Something is missing here: a ":" with a space behind it, a comma, a dash or a bracket.',
  UNEXPECTED_TOKEN: "This does not belong here: a sign too many, or one is missing before it.",
  BLOCK_IN_FLOW: "Between brackets, lists and maps are written with brackets too.",
};

/** The library's own messages quote the file, and a file may hold secrets. */
const NO_YAML = "This is no YAML.";

export function readDocument(text: string): ReadDocument {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const found = [...document.errors, ...document.warnings].map((error) => mistakeOf(error, document));
  return { document, mistakes: onePerLine(found, text) };
}

function mistakeOf({ code, message, pos }: YAMLError, document: Document.Parsed): SyntaxMistake {
  const [start, end] = pos;
  if (code === "MISSING_CHAR" && message.includes("quote")) {
    const range = quoteOpenAt(start, document) ?? { start, end };
    return { message: "This text begins with a quote and never ends.", range };
  }
  return { message: MESSAGES[code] ?? NO_YAML, range: { start, end } };
}

/** The library reports a missing quote where the file ends, which helps nobody. */
function quoteOpenAt(end: number, document: Document.Parsed): Range | undefined {
  let found: Range | undefined;
  visit(document, (_, node) => {
    if (!isScalar(node) || !node.range || !node.type?.startsWith("QUOTE")) return;
    if (node.range[0] < end && node.range[1] >= end) found = { start: node.range[0], end: node.range[0] + 1 };
  });
  return found;
}

function onePerLine(mistakes: readonly SyntaxMistake[], text: string): readonly SyntaxMistake[] {
  const inOrder = [...mistakes].sort((one, other) => one.range.start - other.range.start);
  return inOrder
    .filter(({ range }, index) => {
      const previous = inOrder[index - 1];
      return previous === undefined || text.slice(previous.range.start, range.start).includes("\n");
    })
    .slice(0, MOST_MISTAKES);
}
