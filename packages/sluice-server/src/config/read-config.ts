/** The text of a configuration to what it says, or to all of its mistakes. */
import type { z } from "zod";
import { excessIn } from "./bounds.js";
import type { Config } from "./config.js";
import { type Finding, placesIn } from "./finding.js";
import { badLimitNames, LIMIT_NAME } from "./limit-names.js";
import { type ConfigMistakes, excerptOf } from "./mistake.js";
import { type PlacedValue, placedValues } from "./placed-value.js";
import { configSchema } from "./schema.js";
import { schemaFindings } from "./schema-findings.js";
import { isHarmless } from "./shown.js";
import { NAMES } from "./vocabulary.js";
import { readDocument, type SyntaxMistake } from "./yaml-document.js";

/** Never throws, whatever the text. */
export function readConfig(text: string, fileName: string): Config | ConfigMistakes {
  const { config, findings, limits = new Set() } = examined(text);
  if (config !== undefined) return config;
  const placeOf = placesIn(text);
  const lines = text.split("\n");
  const mistakes = inOrder(findings).map(({ message, suggestion, range }) => {
    const place = range && placeOf(range);
    const excerpt = place && excerptOf(lines[place.line - 1] ?? "", place, limits);
    return { message, suggestion, place, excerpt };
  });
  return { fileName, mistakes };
}

interface Examined {
  readonly config?: Config;
  readonly findings: readonly Finding[];
  /** Names of limits, as far as they are certain. */
  readonly limits?: ReadonlySet<string>;
}

const EMPTY =
  "The file is empty. A configuration names limits, each with its rule:\n\n  limits:\n    login: ip:5/m or user:20/h";

function examined(text: string): Examined {
  const excess = excessIn(text);
  if (excess !== undefined) return { findings: [excess] };
  const { document, mistakes: syntax } = readDocument(text);
  if (document.contents === null && syntax.length === 0) return { findings: [{ message: EMPTY }] };
  const found: Finding[] = [];
  const root = placedValues(document, (finding) => found.push(finding));
  const parsed = configSchema.safeParse(root.value);
  const issues = parsed.success ? [] : schemaFindings(parsed.error.issues, root, text);
  const names = badLimitNames(root);
  if (syntax[0] !== undefined) {
    const certain = isBefore(syntax[0], text);
    const present = issues.filter(({ isMissing }) => !isMissing);
    return { findings: [...syntax, ...[...found, ...names, ...present].filter(certain)] };
  }
  const findings = [...found, ...names, ...issues];
  if (findings.length === 0 && parsed.success) return { config: configOf(parsed.data), findings };
  return { findings, limits: limitNamesIn(root) };
}

/** What stands before a rule or a map of settings names a limit; anything else may be a secret that went astray. */
function limitNamesIn(root: PlacedValue): ReadonlySet<string> {
  const limits = [...(root.parts.get("limits")?.parts ?? [])];
  const named = limits.filter(([name, { value, parts }]) => {
    if (!LIMIT_NAME.test(name)) return false;
    return typeof value === "string" ? isHarmless(value) : NAMES.limit.some((setting) => parts.has(setting));
  });
  return new Set(named.map(([name]) => name));
}

/** Behind a mistake of syntax nothing is certain; on the lines before it everything is, except what is missing. */
function isBefore({ range }: SyntaxMistake, text: string): (finding: Finding) => boolean {
  const line = text.lastIndexOf("\n", range.start - 1);
  return (finding) => finding.range !== undefined && finding.range.end <= line;
}

/** Aliases show one mistake in several places, which are one. */
function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const byPlace = new Map(findings.map((finding) => [`${finding.range?.start} ${finding.message}`, finding]));
  return [...byPlace.values()].sort((one, other) => (one.range?.start ?? 0) - (other.range?.start ?? 0));
}

function configOf({ limits, ...others }: z.output<typeof configSchema>): Config {
  return { ...others, limits: new Map(Object.entries(limits)) };
}
