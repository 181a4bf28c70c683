/** A rule to its canonical text: parsing it gives the same rule. */
import { durationText } from "../duration.js";
import type { Limit, Rule } from "./rule.js";

export function printRule(rule: Rule): string {
  if (rule.kind === "limit") return printLimit(rule);
  return rule.rules
    .map((part) => (rule.kind === "and" && part.kind === "or" ? `(${printRule(part)})` : printRule(part)))
    .join(` ${rule.kind} `);
}

function printLimit({ selectors, algorithm, quota }: Limit): string {
  const selector = selectors.length === 0 ? "" : `${selectors.join("+")}:`;
  const precision = quota.precision === undefined ? "" : `:${durationText(quota.precision)}`;
  return `${selector}${quota.limit}/${spanText(quota.span)}${precision}${optionsText({ algorithm, quota })}`;
}

function spanText(span: number): string {
  return durationText(span).replace(/^1(?=[a-z])/, "");
}

function optionsText({ algorithm, quota }: Pick<Limit, "algorithm" | "quota">): string {
  if (algorithm === "sliding-log" || algorithm === "sliding-window") return "";
  if (quota.burst !== undefined && quota.burst !== quota.limit) return ` burst ${quota.burst}`;
  return ` ${algorithm}`;
}
