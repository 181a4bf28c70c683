/** `sluice explain RULE`: what a rule means, how exact it is and what it weighs. */
import { explainRule } from "../explain/explain-rule.js";
import { explanationText } from "../explain/explanation-text.js";
import { jsonOption } from "./arguments.js";
import type { Cli } from "./cli.js";
import { EXIT } from "./exit-code.js";

const HELP = `
Examples:
  sluice explain "user:10/5m"
  sluice explain "ip:5/m or (user:20/h and apikey:100/h)"
  sluice explain "10/s burst 20" --json

JSON: rule, meaning { words, parts }, selectors, headers { afterOneRequest, whenRefused }, and limits, each with
rule, meaning, algorithm, because, idea, accuracy, mostInAnyWindow, retry, exampleKey, and
bytesPerKey { memory { least, most }, redis { least, most } }.`;

export function registerExplain({ program, terminal, action }: Cli): void {
  program
    .command("explain")
    .description("say what a rule means, how exact it is and what it weighs")
    .argument("<rule...>", "a rule, such as user:10/5m")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(
      action(async (words: readonly string[], { json }: { readonly json?: boolean }) => {
        const explanation = await explainRule(words.join(" "));
        terminal.out(
          json ? JSON.stringify(explanation) : explanationText(explanation, terminal.width).trimEnd(),
        );
        return EXIT.ok;
      }),
    );
}
