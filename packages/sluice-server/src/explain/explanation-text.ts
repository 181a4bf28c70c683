/** An explanation as lines of text for a terminal. */
import type { HeaderFields } from "sluice/http";
import type { Explanation, LimitExplanation } from "./explain-rule.js";
import type { Saying } from "./meaning.js";
import type { KeyWeight } from "./memory.js";
import { roughBytes } from "./numbers.js";

const LABEL = 12;

export function explanationText({ rule, meaning, limits, headers }: Explanation, width: number): string {
  const one = limits.length === 1;
  const blocks = limits.map((limit) => limitLines(limit, one, width));
  return [
    rule,
    "",
    ...sayingLines(meaning, 1),
    ...blocks.flatMap((lines) => ["", ...lines]),
    "",
    "  headers after one request",
    ...headerLines(headers.afterOneRequest),
    ...(headers.whenRefused === null ? [] : ["  headers when refused", ...headerLines(headers.whenRefused)]),
    "",
  ].join("\n");
}

function sayingLines({ words, parts }: Saying, depth: number): readonly string[] {
  const bullet = depth === 1 ? "  " : `${"  ".repeat(depth)}- `;
  return [`${bullet}${words}`, ...parts.flatMap((part) => sayingLines(part, depth + 1))];
}

function limitLines(limit: LimitExplanation, isOnly: boolean, width: number): readonly string[] {
  const { memory, redis } = limit.bytesPerKey;
  return [
    ...(isOnly ? [] : [`  ${limit.rule}`]),
    ...entry("algorithm", `${limit.algorithm}, ${limit.because}. ${limit.idea}`, width),
    ...entry("accuracy", limit.accuracy, width),
    ...entry("retry", limit.retry, width),
    ...entry(
      "memory",
      `${weightText(memory)} per key in the memory store, ${weightText(redis)} in Redis`,
      width,
    ),
    ...entry("key", limit.exampleKey, width),
  ];
}

export function weightText({ least, most }: KeyWeight): string {
  if (most === 0) return "nothing";
  const [from, to] = [roughBytes(least), roughBytes(most)];
  if (from === to) return `about ${from}`;
  const [amount, unit] = from.split(" ");
  return to.endsWith(` ${unit}`) ? `${amount} to ${to}` : `${from} to ${to}`;
}

function headerLines(headers: HeaderFields): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`);
}

/** A label, and beside it the words, broken between them. */
function entry(label: string, words: string, width: number): readonly string[] {
  const room = Math.max(24, width - LABEL - 2);
  return wrapped(words, room).map((line, index) => `  ${(index === 0 ? label : "").padEnd(LABEL)}${line}`);
}

function wrapped(words: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
