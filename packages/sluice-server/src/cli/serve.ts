/** `sluice serve`: its options and its help. What it starts is handed in, so that other commands load no server. */
import { storeOption } from "./arguments.js";
import type { Cli } from "./cli.js";
import type { ExitCode } from "./exit-code.js";

export interface ServeOptions {
  readonly config?: string;
  /** What stands in the configuration counts where this is left out. */
  readonly store?: string;
  readonly resp: string;
  readonly http: string;
}

/** Resolves when the server has been told to stop and has done so. */
export type Serve = (options: ServeOptions, cli: Pick<Cli, "terminal">) => Promise<ExitCode>;

const HELP = `
Examples:
  sluice serve
  sluice serve --config sluice.yaml --store redis://127.0.0.1:6379 --http 0.0.0.0:8080`;

/** To be called by `createProgram` with the server. */
export function registerServe({ program, terminal, action }: Cli, serve: Serve): void {
  program
    .command("serve")
    .description("answer RATELIMIT for any Redis client, and HTTP for everything else")
    .option("--config <file>", "a configuration in YAML, which is followed as it changes")
    .addOption(storeOption())
    .option("--resp <host:port>", "where Redis clients are answered", "127.0.0.1:6380")
    .option("--http <host:port>", "where HTTP is answered", "127.0.0.1:8080")
    .addHelpText("after", HELP)
    .action(action((options: ServeOptions) => serve(options, { terminal })));
}
