/** Runs side by side as a table of text. */
import { durationInWords, spanInWords } from "../explain/duration.js";
import { grouped, percent } from "../explain/numbers.js";
import type { LimitPeak } from "./limit-peaks.js";
import type { Run } from "./tally.js";
import { shortTime } from "./time-axis.js";

const HEADINGS = ["rule", "offered", "admitted", "refused", "first refusal", "longest wait"];

export function summaryTable(runs: readonly Run[]): string {
  const rows = runs.map(({ rule, offered, admitted, refused, firstRefusalMs, worstRetryMs, neverFit }) => [
    rule,
    grouped(offered.units),
    grouped(admitted.units),
    percent(refused.units, offered.units),
    firstRefusalMs === null ? "none" : shortTime(firstRefusalMs),
    neverFit > 0 ? "for ever" : worstRetryMs === null ? "none" : shortTime(worstRetryMs),
  ]);
  return aligned([HEADINGS, ...rows]);
}

/** What was admitted at most in any window, for each limit of each rule. */
export function peakTable(runs: readonly Run[]): string {
  return aligned(
    runs.flatMap(({ peaks }) => peaks.map(peakRow)),
    true,
  );
}

function peakRow({ rule, limit, windowMs, most, fromMs, key }: LimitPeak): readonly string[] {
  const whose = key === null ? "" : ` for one key`;
  const over = most > limit ? `, ${percent(most - limit, limit)} above the limit` : "";
  const since = most === 0 ? "" : `, from ${shortTime(fromMs)} on`;
  return [rule, grouped(most), `in any ${spanInWords(windowMs * 1000)}${whose}${over}${since}`];
}

/** The first column to the left, numbers to the right; what is longer than all stands last and is not filled up. */
function aligned(rows: readonly (readonly string[])[], isOpen = false): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number, last: boolean) => {
    if (last && isOpen) return text;
    return column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  };
  return rows
    .map((row) => row.map((text, column) => cell(text, column, column === row.length - 1)).join("  "))
    .join("\n");
}

/** A sentence for who cannot see the chart. */
export function summarySentence({ rule, traffic, lengthMs, offered, admitted, peaks }: Run): string {
  const most = peaks.map(
    (peak) =>
      `${grouped(peak.most)} in any ${spanInWords(peak.windowMs * 1000)} (limit ${grouped(peak.limit)})`,
  );
  return (
    `${rule} under ${traffic} for ${durationInWords(lengthMs * 1000)}: ` +
    `${grouped(admitted.units)} of ${grouped(offered.units)} admitted, at most ${most.join(", ")}.`
  );
}
