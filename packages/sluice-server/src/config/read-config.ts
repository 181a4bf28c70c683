/** The text of a configuration to what it says, or to all of its mistakes. */
import type { z } from "zod";
import { excessIn } from "./bounds.js";
import type { Config } from "./config.js";
import { type Finding, placesIn } from "./finding.js";
import { badLimitNames } from "./limit-names.js";
import type { ConfigMistakes } from "./mistake.js";
import { placedValues } from "./placed-value.js";
import { configSchema } from "./schema.js";
import { schemaFindings } from "./schema-findings.js";
import { withoutSecrets } from "./secrets.js";
import { readDocument, type SyntaxMistake } from "./yaml-document.js";

/** Never throws, whatever the text. */
export function readConfig(text: string, fileName: string): Config | ConfigMistakes {
  const { config, findings } = examined(text);
  if (config !== undefined) return config;
  const placeOf = placesIn(text);
  const mistakes = inOrder(findings).map(({ message, suggestion, range }) => ({
    message,
    suggestion,
    place: range && placeOf(range),
  }));
  return { fileName, mistakes, shownText: withoutSecrets(text) };
}

interface Examined {
  readonly config?: Config;
  readonly findings: readonly Finding[];
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
  return findings.length === 0 && parsed.success ? { config: configOf(parsed.data), findings } : { findings };
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
