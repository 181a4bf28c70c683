/** The program `sluice`: its commands, and how it ends. */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { withoutLogins } from "../store/store-url.js";
import { registerAsk } from "./ask.js";
import { registerBench } from "./bench.js";
import { registerCheck } from "./check.js";
import type { Cli } from "./cli.js";
import { EXIT, type ExitCode, failureOf } from "./exit-code.js";
import { registerExplain } from "./explain.js";
import { registerServe } from "./serve.js";
import { registerSimulate } from "./simulate.js";
import type { Terminal } from "./terminal.js";

const COMMANDS = [
  registerServe,
  registerExplain,
  registerCheck,
  registerSimulate,
  registerAsk,
  registerBench,
];

const EXAMPLES = `
Examples:
  sluice serve --config sluice.yaml
  sluice explain "user:10/5m or ip:100/m"
  sluice check sluice.yaml
  sluice simulate "10/s burst 20" --traffic poisson:20/s --for 1m --compare all
  sluice consume "user:10/5m" user=42 --store redis://127.0.0.1:6379
  sluice bench --store redis://127.0.0.1:6379 --seconds 10

Exit codes:
  0  allowed, or done
  1  refused, or mistakes found
  2  the command line is mistaken
  3  the store cannot be asked
  70 a fault of Sluice's own`;

/** Runs one command line, without the names of node and of the program; resolves with the exit code. */
export async function runCli(args: readonly string[], given: Terminal): Promise<ExitCode> {
  const terminal = withoutPasswords(given);
  let exitCode: ExitCode = EXIT.ok;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    terminal.endProgress();
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return report(error, args, terminal);
  }
}

/** A mistaken argument that is quoted may be a URL whose scheme was forgotten. */
const BARE_LOGIN = /(?<=')[^\s'/]+:[^\s']+(?=@)/g;

/** A store's URL that stands where something else is expected is quoted as what it was taken for. */
function withoutPasswords(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out: (text) => terminal.out(withoutLogins(text)),
    err: (text) => terminal.err(withoutLogins(text).replace(BARE_LOGIN, "***")),
  };
}

function createProgram(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const program = new Command("sluice")
    .description(
      "A rate limiter: serve limits, explain and try rules, check configurations, look after counters.",
    )
    .version(version(), "--version")
    .option("--debug", "show where an error comes from")
    .helpOption("--help", "show this help")
    .helpCommand(false)
    .addHelpText("after", EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  const cli: Cli = {
    program,
    terminal,
    action:
      (work) =>
      async (...args) =>
        end(await work(...args)),
  };
  for (const register of COMMANDS) register(cli);
  return program;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String((manifest as { readonly version?: unknown }).version);
}

/** In words on standard error; with `--json` as an object on standard output as well. */
function report(error: unknown, args: readonly string[], terminal: Terminal): ExitCode {
  const { exitCode, code, message } = failureOf(error);
  const isSaid = error instanceof CommanderError;
  if (!isSaid) terminal.err(`error: ${message}`);
  if (args.includes("--debug") && error instanceof Error) terminal.err(error.stack ?? "");
  if (args.includes("--json"))
    terminal.out(JSON.stringify({ error: { code, message: message.replace(/^error: /, "") } }));
  return exitCode;
}
