/** `sluice serve`: its options and its help. */
import { InvalidArgumentError, Option } from "commander";
import { type HostPort, parseHostPort } from "../serve/host-port.js";
import { jsonOption, storeOption } from "./arguments.js";
import type { Cli } from "./cli.js";
import type { ServeOptions } from "./run-server.js";

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"];

const HELP = `
Examples:
  sluice serve
  sluice serve --config sluice.yaml --store redis://127.0.0.1:6379
  sluice serve --config sluice.yaml --http 0.0.0.0:8080

Without --config there are sample limits, to try things with. The configuration is followed as it changes, and read
again on SIGHUP; a mistaken one leaves the last good one in force. SIGINT and SIGTERM end the server once it has
answered what it was asked; a second one ends it at once. Ends with 2 when it cannot start.

JSON: one line once it listens, with resp, http and store. Logs go to standard error, a JSON object a line.`;

export function registerServe({ program, terminal, action }: Cli): void {
  program
    .command("serve")
    .description("answer RATELIMIT for any Redis client, and HTTP for everything else")
    .option("--config <file>", "a configuration in YAML, which is followed as it changes")
    .addOption(storeOption())
    .addOption(placeOption("--resp", "where Redis clients are answered", "127.0.0.1:6380"))
    .addOption(placeOption("--http", "where HTTP is answered", "127.0.0.1:8080"))
    .option("--open-to-everyone", "listen beyond loopback although no token is configured")
    .addOption(new Option("--log-level <level>", "what is logged").choices(LOG_LEVELS).default("info"))
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(
      action(async (options: ServeOptions) => {
        // Loaded here, since other commands should not wait for it.
        const { runServer } = await import("./run-server.js");
        return runServer(options, { terminal, version: program.version() ?? "" });
      }),
    );
}

function placeOption(name: string, description: string, usual: string): Option {
  return new Option(`${name} <host:port>`, description).argParser(hostPort).default(hostPort(usual), usual);
}

function hostPort(text: string): HostPort {
  const place = parseHostPort(text);
  if (place !== undefined) return place;
  throw new InvalidArgumentError("Expected HOST:PORT, such as 127.0.0.1:6380 or [::1]:6380.");
}
