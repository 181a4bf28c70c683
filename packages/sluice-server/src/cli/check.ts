/** `sluice check FILE`: all mistakes of a configuration, each with its line and its column. */
import type { Config } from "../config/config.js";
import { type ConfigMistakes, isMistaken, mistakesText } from "../config/mistake.js";
import { describeStore, parseStoreUrl } from "../store/store-url.js";
import { jsonOption } from "./arguments.js";
import type { Cli } from "./cli.js";
import { EXIT, type ExitCode } from "./exit-code.js";

const HELP = `
Examples:
  sluice check sluice.yaml
  sluice check staging.yaml production.yaml --json

Ends with 1 when there are mistakes, with 2 when a file cannot be read.

JSON: ok, and files, each with file and ok; and either namespace, store and limits, or mistakes, each with message,
suggestion, line, column and length (null where there is none).`;

export function registerCheck({ program, terminal, action }: Cli): void {
  program
    .command("check")
    .description("find all mistakes of a configuration")
    .argument("<file...>", "a configuration in YAML")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(
      action(async (files: readonly string[], { json }: { readonly json?: boolean }) => {
        // Loaded here, since other commands should not wait for it.
        const { readConfigFile } = await import("../config/read-config-file.js");
        const results = await Promise.all(files.map((file) => readConfigFile(file)));
        if (json) {
          const shown = results.map((result, index) => ({ file: files[index], ...reportOf(result) }));
          terminal.out(JSON.stringify({ ok: shown.every(({ ok }) => ok), files: shown }));
        } else {
          results.forEach((result, index) => {
            if (isMistaken(result)) terminal.err(`${mistakesText(result)}\n`);
            else terminal.out(`${files[index]}: ${praise(result)}`);
          });
        }
        return worst(results);
      }),
    );
}

function worst(results: readonly (Config | ConfigMistakes)[]): ExitCode {
  const mistaken = results.filter(isMistaken);
  if (mistaken.some(({ mistakes }) => mistakes.every(({ place }) => place === undefined))) return EXIT.usage;
  return mistaken.length > 0 ? EXIT.refused : EXIT.ok;
}

function praise({ namespace, store, limits, tokens }: Config): string {
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
  return `fine: ${count(limits.size, "limit")}, ${count(tokens.length, "token")}, namespace ${namespace}, store ${describeStore(parseStoreUrl(store.url))}.`;
}

function reportOf(
  result: Config | ConfigMistakes,
): { readonly ok: boolean } & Readonly<Record<string, unknown>> {
  if (!isMistaken(result)) {
    const { namespace, store, limits } = result;
    return {
      ok: true,
      namespace,
      store: describeStore(parseStoreUrl(store.url)),
      limits: [...limits].map(([name, { rule }]) => ({ name, rule })),
    };
  }
  return {
    ok: false,
    mistakes: result.mistakes.map(({ message, suggestion = null, place }) => ({
      message,
      suggestion,
      line: place?.line ?? null,
      column: place?.column ?? null,
      length: place?.length ?? null,
    })),
  };
}
