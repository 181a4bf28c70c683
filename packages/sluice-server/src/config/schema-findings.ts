/** What the schema does not like, by its place in the file. */
import type { z } from "zod";
import { nearestWord } from "../explain/nearest-word.js";
import type { Finding, Range } from "./finding.js";
import type { PlacedValue } from "./placed-value.js";
import { placeInScalar } from "./scalar-place.js";
import type { RuleIssueParams } from "./schema.js";
import { shownName } from "./shown.js";
import { NAMES } from "./vocabulary.js";

export interface SchemaFinding extends Finding {
  readonly range: Range;
  /** Whether it complains of something that is not there. */
  readonly isMissing: boolean;
}

export function schemaFindings(
  issues: readonly z.core.$ZodIssue[],
  root: PlacedValue,
  text: string,
): readonly SchemaFinding[] {
  return issues.flatMap((issue) => {
    const { placed, isMissing } = valueAt(root, issue.path);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((name) => unknownName(name, placed, namesAt(issue.path)));
    }
    if (issue.code === "custom" && issue.params !== undefined && placed.scalar !== undefined) {
      const { rule } = issue.params as unknown as RuleIssueParams;
      const range = placeInScalar(placed.scalar, text, rule.range);
      return [{ message: rule.message, suggestion: rule.suggestion, range, isMissing }];
    }
    const suggestion = issue.code === "invalid_value" ? meant(placed.value, issue.values) : undefined;
    return [{ message: issue.message, suggestion, range: visible(placed), isMissing }];
  });
}

function meant(value: unknown, known: readonly unknown[]): string | undefined {
  const near = typeof value === "string" ? nearestWord(value, known.map(String)) : undefined;
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

/** A rule alone stands where an object with a rule could, so a path may lead further than the file does. */
function valueAt(
  root: PlacedValue,
  path: readonly PropertyKey[],
): { placed: PlacedValue; isMissing: boolean } {
  let placed = root;
  for (const step of path) {
    const next = placed.parts.get(String(step));
    if (next === undefined) return { placed, isMissing: placed.parts.size > 0 || placed.value === null };
    placed = next;
  }
  return { placed, isMissing: placed.value === null };
}

/** An empty value is shown by its name. */
function visible({ name, range, value }: PlacedValue): Range {
  return name !== undefined && (range.end <= range.start || value === null || typeof value === "object")
    ? name
    : range;
}

const TOP = "A configuration";

function namesAt(path: readonly PropertyKey[]): {
  readonly owner: string;
  readonly names: readonly string[];
} {
  if (path.length === 0) return { owner: TOP, names: NAMES.configuration };
  if (path[0] === "store") return { owner: "A store", names: NAMES.store };
  if (path[0] === "http") return { owner: "HTTP", names: NAMES.http };
  if (path[0] === "page") return { owner: "The page", names: NAMES.page };
  return { owner: "A limit", names: NAMES.limit };
}

function unknownName(
  name: string,
  placed: PlacedValue,
  { owner, names }: ReturnType<typeof namesAt>,
): SchemaFinding {
  return {
    message: `${owner} has ${names.join(", ")}, and ${shownName(name)} is none of them.`,
    suggestion: meant(name, names),
    range: placed.parts.get(name)?.name ?? placed.range,
    isMissing: false,
  };
}
