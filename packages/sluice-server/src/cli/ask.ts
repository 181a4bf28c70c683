/** `sluice consume|peek|reset RULE user=42 …`: for operators, on the counters that servers use. */
import { createSluice, type Decision, explain, type Facts, type Limiter, toRule } from "sluice";
import { factsIn, jsonOption, storeOption, wholeNumber } from "./arguments.js";
import type { Cli } from "./cli.js";
import { EXIT } from "./exit-code.js";
import { withStore } from "./with-store.js";

interface AskOptions {
  readonly store?: string;
  readonly namespace: string;
  readonly key: string;
  readonly cost: number;
  readonly json?: boolean;
}

type Ask = (limiter: Limiter, facts: Facts, cost: number) => Promise<Decision | undefined>;

const COMMANDS: Readonly<Record<string, { readonly description: string; readonly ask: Ask }>> = {
  consume: {
    description: "decide a request, and charge it when allowed",
    ask: (limiter, facts, cost) => limiter.consume(facts, { cost }),
  },
  peek: {
    description: "say what consume would decide; charges nothing",
    ask: (limiter, facts, cost) => limiter.peek(facts, { cost }),
  },
  reset: {
    description: "forget all that was counted for these facts",
    ask: async (limiter, facts) => {
      await limiter.reset(facts);
      return undefined;
    },
  },
};

const help = (name: string) => `
The rule, the namespace and the key must be those of the program whose counters are meant; a limit of a
configuration is counted under its name, so --key login.

Examples:
  sluice ${name} "user:10/5m" user=42 --store redis://127.0.0.1:6379
  sluice ${name} "ip:5/m or user:20/h" ip=192.0.2.7 user=42 --key login --namespace shop

JSON: ${
  name === "consume" || name === "peek"
    ? "the decision: allowed, remaining, retryAfterMs, resetAfterMs, limits, refusedBy, source; null stands for infinite."
    : "{ done: true }."
}`;

export function registerAsk({ program, terminal, action }: Cli): void {
  for (const [name, { description, ask }] of Object.entries(COMMANDS)) {
    const command = program
      .command(name)
      .description(description)
      .argument("<rule>", "a rule, such as user:10/5m")
      .argument("[facts...]", "a value for each selector of the rule, such as user=42")
      .addOption(storeOption())
      .option("--namespace <name>", "the namespace of the counters", "sluice")
      .option("--key <name>", "the name of the limit, as in a configuration", "")
      .addOption(jsonOption())
      .addHelpText("after", help(name));
    if (name !== "reset") command.option("--cost <number>", "how many units", wholeNumber(1), 1);
    command.action(
      action(async (text: string, words: readonly string[], options: AskOptions) => {
        const rule = toRule(text);
        const facts = factsIn(words, rule);
        const decision = await withStore(options.store, (store) => {
          const limiter = createSluice({ namespace: options.namespace, store }).limit(rule, {
            key: options.key,
          });
          return ask(limiter, facts, options.cost);
        });
        terminal.out(options.json ? JSON.stringify(decision ?? { done: true }) : wordsFor(decision));
        return decision === undefined || decision.allowed ? EXIT.ok : EXIT.refused;
      }),
    );
  }
}

/** The decision in a sentence; under it each limit, where there are several. */
function wordsFor(decision: Decision | undefined): string {
  if (decision === undefined) return "Done.";
  if (decision.limits.length < 2) return explain(decision);
  const lines = decision.limits.map(
    ({ rule, allowed, remaining, limit }) =>
      `  ${allowed ? "ok  " : "over"}  ${rule}  ${remaining} of ${limit} left`,
  );
  return [explain(decision), ...lines].join("\n");
}
