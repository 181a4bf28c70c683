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
};

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
  return { message: MESSAGES[code] ?? `This is no YAML: ${message}.`, range: { start, end } };
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
