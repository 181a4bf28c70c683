/** How much a configuration may be: looked at before the YAML library does, which a hostile file could exhaust. */
import { CST, Lexer } from "yaml";
import type { Finding } from "./finding.js";

export const MOST_CHARACTERS = 1_000_000;
const MOST_TOKENS = 200_000;
const DEEPEST_BRACKETS = 32;
const MOST_SIGNS_IN_A_LINE = 32;
const DEEPEST_INDENT = 100;

/**
 * Nesting comes from brackets, from signs (`- - -`) on one line and from indentation. With each of them bounded, so
 * is the depth of the tree, and no recursion over it can run out of stack.
 */
export function excessIn(text: string): Finding | undefined {
  if (text.length > MOST_CHARACTERS)
    return { message: "A configuration has at most 1 MB, and this file has more." };
  let [start, tokens, brackets, signs, isText] = [0, 0, 0, 0, false];
  for (const token of new Lexer().lex(text)) {
    if (token === CST.DOCUMENT || token === CST.FLOW_END) continue;
    if (token === CST.SCALAR) {
      isText = true;
      continue;
    }
    const type = isText ? "scalar" : CST.tokenType(token);
    isText = false;
    if (type === "flow-map-start" || type === "flow-seq-start") brackets += 1;
    else if (type === "flow-map-end" || type === "flow-seq-end") brackets = Math.max(0, brackets - 1);
    else if (type === "newline") signs = 0;
    else if (brackets === 0 && SIGNS.has(type)) signs += 1;
    const range = { start, end: start + 1 };
    tokens += 1;
    if (tokens > MOST_TOKENS) return { message: "A configuration of this size cannot be read.", range };
    const indent = type === "space" && (start === 0 || text[start - 1] === "\n") ? token.length : 0;
    if (brackets > DEEPEST_BRACKETS || signs > MOST_SIGNS_IN_A_LINE || indent > DEEPEST_INDENT) {
      return { message: "A configuration is not nested this deep.", range };
    }
    start += token.length;
  }
  return undefined;
}

const SIGNS: ReadonlySet<string | null> = new Set(["seq-item-ind", "explicit-key-ind", "map-value-ind"]);
