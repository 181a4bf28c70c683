/** What a command registers itself with. */
import type { Command } from "commander";
import type { ExitCode } from "./exit-code.js";
import type { Terminal } from "./terminal.js";

export interface Cli {
  readonly program: Command;
  readonly terminal: Terminal;
  /** Turns work, which answers with the exit code, into what commander calls. */
  action<Args extends unknown[]>(
    work: (...args: Args) => Promise<ExitCode>,
  ): (...args: Args) => Promise<void>;
}
