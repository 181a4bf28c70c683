/** Arguments and options as they are written on a command line. */
import { InvalidArgumentError, Option } from "commander";
import { type Facts, type Rule, selectorsOf } from "sluice";
import { parseDuration } from "../explain/duration.js";
import { suggestion } from "../explain/nearest-word.js";
import { listed } from "../explain/numbers.js";
import { UsageError } from "../usage-error.js";

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** In microseconds. */
export function duration(text: string): number {
  const microseconds = parseDuration(text);
  if (microseconds !== undefined) return microseconds;
  throw new InvalidArgumentError("Expected a span of time, such as 500ms, 30s, 5m or 1h.");
}

/** Also by environment, so that a password need not stand on the command line. */
export function storeOption(): Option {
  return new Option(
    "--store <url>",
    "where the counters are: redis://…, rediss://…, redis-cluster://…, redis-sentinel://… or memory",
  ).env("SLUICE_STORE");
}

export function jsonOption(): Option {
  return new Option("--json", "one JSON object on standard output");
}

/** `user=42 ip=192.0.2.7`: one for each selector of the rule, and no other. */
export function factsIn(words: readonly string[], rule: Rule): Facts {
  const names = selectorsOf(rule);
  const facts = new Map<string, string>();
  for (const word of words) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`Expected a fact such as user=42, and got ${JSON.stringify(word)}.`);
    }
    if (!names.includes(name)) throw unknownFact(name, names);
    if (facts.has(name)) throw new UsageError(`The fact ${name} is given twice.`);
    if (value === "") throw new UsageError(`The fact ${name} has no value: write ${name}=42.`);
    facts.set(name, value);
  }
  const missing = names.filter((name) => !facts.has(name));
  if (missing.length === 0) return Object.fromEntries(facts);
  throw new UsageError(
    `The rule counts by ${listed(names)}: add ${missing.map((name) => `${name}=…`).join(" ")}.`,
  );
}

function unknownFact(name: string, names: readonly string[]): UsageError {
  if (names.length === 0) return new UsageError("The rule counts all calls together, and takes no facts.");
  return new UsageError(
    `The rule counts by ${listed(names)}, and not by ${JSON.stringify(name)}.${suggestion(name, names)}`,
  );
}
