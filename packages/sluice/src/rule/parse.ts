/** Rule text to a tree: the grammar, and nothing about what the words mean. */
import { Cursor } from "./cursor.js";
import type { Range } from "./diagnostic.js";
import { parseCount, parseOptions, parsePrecision, parseSelectors, parseSpan } from "./parse-limit.js";
import type { LimitDraft } from "./resolve.js";
import { DEEPEST_NESTING, MOST_LIMITS } from "./rule.js";

/** One limit as written, and where each of its parts stands. */
export interface LimitSyntax {
  readonly kind: "limit";
  readonly draft: LimitDraft;
  readonly places: Readonly<Record<keyof LimitDraft, Range>>;
}

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
    while (cursor.nextIs("word", kind)) {
      cursor.take();
      parts.push(part());
    }
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  function operand(depth: number): RuleSyntax {
    if (!cursor.nextIs("(")) return limitOrList();
    if (depth === DEEPEST_NESTING) {
      throw cursor.error(cursor.next, `Parentheses nest at most ${DEEPEST_NESTING} deep.`);
    }
    cursor.take();
    const inner = expression("or", depth + 1);
    cursor.expect(")", 'a closing ")", "and" or "or"');
    return inner;
  }

  /** A limit; with `ip,user:` the same limit once for each name, joined by Or. */
  function limitOrList(): RuleSyntax {
    const start = cursor.next;
    const selectors = cursor.nextIs("word") ? parseSelectors(cursor) : { value: [[]], range: start };
    if (start.kind === "word") cursor.expect(":", 'a ":" after the selector');
    const limit = parseCount(cursor, start.kind === "word" ? "a count" : "a limit, such as 10/s or user:10/5m");
    cursor.expect("/", 'a "/" after the count');
    const span = parseSpan(cursor);
    const precision = cursor.nextIs(":") ? parsePrecision(cursor) : undefined;
    const options = parseOptions(cursor);

    limits += selectors.value.length;
    if (limits > MOST_LIMITS) throw cursor.error(start, `A rule has at most ${MOST_LIMITS} limits.`);

    const whole = { start: start.start, end: cursor.end };
    const places = {
      selectors: selectors.range,
      limit: limit.range,
      span: span.range,
      precision: precision?.range ?? whole,
      algorithm: options.algorithm?.range ?? whole,
      burst: options.burst?.range ?? whole,
    };
    const parts = selectors.value.map((names): LimitSyntax => {
      const draft = {
        selectors: names,
        limit: limit.value,
        span: span.value,
        precision: precision?.value,
        algorithm: options.algorithm?.value,
        burst: options.burst?.value,
      };
      return { kind: "limit", draft, places };
    });
    return parts.length === 1 ? parts[0]! : { kind: "or", parts };
  }

  const tree = expression("or", 0);
  if (!cursor.nextIs("end")) throw cursor.unexpected('"and", "or" or the end of the rule');
  return tree;
}

/** Text that is one part of a rule and nothing else, as the properties of a rule object are. */
export function parseWhole<T>(text: string, part: (cursor: Cursor) => { readonly value: T }): T {
  const cursor = new Cursor(text);
  const { value } = part(cursor);
  if (!cursor.nextIs("end")) throw cursor.unexpected("nothing more");
  return value;
}
