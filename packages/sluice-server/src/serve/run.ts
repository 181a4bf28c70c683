/** Runs a server for the command line: from its configuration until it is told to stop. */
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { EXIT, type ExitCode } from "../cli/exit-code.js";
import type { Serve, ServeOptions } from "../cli/serve.js";
import type { Config } from "../config/config.js";
import { type ConfigMistakes, isMistaken, mistakesText } from "../config/mistake.js";
import { type ConfigWatch, watchConfig } from "../config/watch-config.js";
import type { Log } from "../log.js";
import { UsageError } from "../usage-error.js";
import { hostPortText, parseHostPort } from "./host-port.js";
import { type Server, startServer } from "./server.js";
import { welcomeText } from "./what-to-try.js";

const SAMPLE = fileURLToPath(new URL("../../sample/sluice.yaml", import.meta.url));
const STANDARD_ERROR = 2;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export const serve: Serve = async (options, { terminal, version }) => {
  const destination = pino.destination({ dest: STANDARD_ERROR, sync: true });
  const log = pino({ level: options.logLevel, base: null }, destination);
  const stopped = firstSignal();
  const { server, watch } = await start(options, version, log);
  const { resp, http, store } = server;
  terminal.out(
    options.json
      ? JSON.stringify({ resp: hostPortText(resp), http: hostPortText(http), store })
      : welcomeText(server),
  );
  const signal = await stopped;
  log.info({ signal }, "closing: what has been asked is answered, and nothing new is taken");
  watch.close();
  await server.close();
  return EXIT.ok;
};

interface Running {
  readonly server: Server;
  readonly watch: ConfigWatch;
}

async function start(options: ServeOptions, version: string, log: Log): Promise<Running> {
  const resp = parseHostPort("--resp", options.resp);
  const http = parseHostPort("--http", options.http);
  const chosen = (config: Config): Config =>
    options.store === undefined ? config : { ...config, store: { ...config.store, url: options.store } };
  let read: Config | ConfigMistakes | undefined;
  let server: Server | undefined;
  const watch = await watchConfig(options.config ?? SAMPLE, {
    changed(config) {
      read = config;
      if (server !== undefined) reconfigure(server, chosen(config), log);
    },
    mistaken(mistakes) {
      read = mistakes;
      if (server !== undefined) keptAsItWas(log, mistakesText(mistakes));
    },
  });
  try {
    if (read === undefined || isMistaken(read))
      throw new UsageError(read === undefined ? "There is no configuration." : mistakesText(read));
    const openToEveryone = options.openToEveryone ?? false;
    server = await startServer({ config: chosen(read), resp, http, openToEveryone, version, log });
    return { server, watch };
  } catch (error) {
    watch.close();
    throw error;
  }
}

function reconfigure(server: Server, config: Config, log: Log): void {
  try {
    server.reconfigure(config);
    log.info({ limits: config.limits.size }, "the configuration was read again");
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    keptAsItWas(log, error.message);
  }
}

function keptAsItWas(log: Log, reason: string): void {
  log.error({ reason }, "the configuration is mistaken, and the last good one stays in force");
}

/** A second one ends the process where it stands. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let wasTold = false;
    for (const name of SIGNALS) {
      process.on(name, (signal) => {
        if (wasTold) process.exit(EXIT.fault satisfies ExitCode);
        wasTold = true;
        resolve(signal);
      });
    }
  });
}
