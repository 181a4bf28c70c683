/** Rule text to a tree: the grammar, and nothing about what the words mean. */
import { Cursor } from "./cursor.js";
import { type LimitSyntax, parseLimits } from "./parse-limit.js";
import { DEEPEST_NESTING, MOST_LIMITS } from "./rule.js";
import type { Token } from "./tokenize.js";

export interface CombinationSyntax {
  readonly kind: "and" | "or";
  readonly parts: readonly RuleSyntax[];
}

export type RuleSyntax = LimitSyntax | CombinationSyntax;

export function parse(text: string): RuleSyntax {
  const cursor = new Cursor(text);
  let limits = 0;

  /** Or of Ands of operands: `and` binds tighter. */
  function expression(kind: "and" | "or", depth: number): RuleSyntax {
    const part = () => (kind === "or" ? expression("and", depth) : operand(depth));
    const parts = [part()];
    while (cursor.takeIf("word", kind)) parts.push(part());
    return together(kind, parts);
  }

  function operand(depth: number): RuleSyntax {
    const start = cursor.next;
    if (cursor.takeIf("(")) {
      checkDepth(depth, start);
      const inner = expression("or", depth + 1);
      cursor.expect(")", 'a closing ")", "and" or "or"');
      return inner;
    }
    const parts = parseLimits(cursor);
    limits += parts.length;
    if (limits > MOST_LIMITS) throw cursor.error(start, `A rule has at most ${MOST_LIMITS} limits.`);
    if (parts.length > 1) checkDepth(depth, start);
    return together("or", parts);
  }

  /** A list of selectors counts too, because it stands for an Or in parentheses. */
  function checkDepth(depth: number, at: Token): void {
    if (depth < DEEPEST_NESTING) return;
    throw cursor.error(at, `Rules nest at most ${DEEPEST_NESTING} deep.`);
  }

  const tree = expression("or", 0);
  if (!cursor.nextIs("end")) throw cursor.unexpected('"and", "or" or the end of the rule');
  return tree;
}

function together(kind: "and" | "or", parts: readonly RuleSyntax[]): RuleSyntax {
  return parts.length === 1 ? parts[0]! : { kind, parts };
}

/** Text that is one part of a rule and nothing else, as the properties of a rule object are. */
export function parseWhole<T>(text: string, part: (cursor: Cursor) => { readonly value: T }): T {
  const cursor = new Cursor(text);
  const { value } = part(cursor);
  if (!cursor.nextIs("end")) throw cursor.unexpected("nothing more");
  return value;
}
