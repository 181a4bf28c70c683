/** One limit: selectors, count, span, precision and options, each with its place in the text. */
import type { Cursor } from "./cursor.js";
import type { Range } from "./diagnostic.js";
import { nearest } from "./nearest.js";
import { parseOptions } from "./parse-options.js";
import { parseCount, parsePrecision, parseSelectors, parseSpan } from "./parse-parts.js";
import type { LimitDraft } from "./resolve.js";

/** One limit as written, and where each of its parts stands. */
export interface LimitSyntax {
  readonly kind: "limit";
  readonly draft: LimitDraft;
  readonly places: Readonly<Record<keyof LimitDraft, Range>>;
}

const A_LIMIT = "a limit, such as 10/s or user:10/5m";

/** Behind `ip,user:` it is the same limit once for each name. */
export function parseLimits(cursor: Cursor): readonly LimitSyntax[] {
  const start = cursor.next;
  if (cursor.nextJoins) throw cursor.unexpected(A_LIMIT);
  const named = start.kind === "word";
  const selectors = named ? parseSelectors(cursor) : { value: [[]], range: start };
  if (named) cursor.expect(":", 'a ":" after the selector, as in user:10/5m');
  const limit = parseCount(cursor, named ? "a count" : A_LIMIT);
  parseSlash(cursor);
  const span = parseSpan(cursor);
  const precision = cursor.takeIf(":") ? parsePrecision(cursor) : undefined;
  const { algorithm, burst } = parseOptions(cursor);

  const draft = {
    limit: limit.value,
    span: span.value,
    precision: precision?.value,
    algorithm: algorithm?.value,
    burst: burst?.value,
  };
  const whole = { start: start.start, end: cursor.end };
  const places = {
    selectors: selectors.range,
    limit: limit.range,
    span: span.range,
    precision: precision?.range ?? whole,
    algorithm: algorithm?.range ?? whole,
    burst: burst?.range ?? whole,
  };
  return selectors.value.map((names) => ({ kind: "limit", draft: { selectors: names, ...draft }, places }));
}

function parseSlash(cursor: Cursor): void {
  if (cursor.takeIf("/")) return;
  throw cursor.unexpected('a "/" and a span after the count, as in 10/s', nearest(cursor.next.text, ["/"]));
}
