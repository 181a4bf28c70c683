/** Runs a server for the command line: from its configuration until it is told to stop. */
import { fileURLToPath } from "node:url";
import { followConfig } from "../serve/follow-config.js";
import { type HostPort, hostPortText } from "../serve/host-port.js";
import { type Server, startServer } from "../serve/server.js";
import { logEverything, openLog } from "../serve/server-log.js";
import { toldToStop } from "../serve/stop-signal.js";
import { welcomeText } from "../serve/what-to-try.js";
import type { Cli } from "./cli.js";
import { EXIT, type ExitCode } from "./exit-code.js";

export interface ServeOptions {
  readonly config?: string;
  /** What stands in the configuration counts where this is left out. */
  readonly store?: string;
  readonly resp: HostPort;
  readonly http: HostPort;
  readonly openToEveryone?: boolean;
  readonly logLevel: string;
  readonly json?: boolean;
}

const SAMPLE = fileURLToPath(new URL("../../sample/sluice.yaml", import.meta.url));

/** Resolves when the server has been told to stop and has done so. */
export async function runServer(
  options: ServeOptions,
  { terminal, version }: Pick<Cli, "terminal"> & { readonly version: string },
): Promise<ExitCode> {
  const { resp, http, store, openToEveryone = false } = options;
  const log = openLog(options.logLevel);
  logEverything(log, () => process.exit(EXIT.fault));
  const told = toldToStop();
  const { server, watch } = await followConfig(options.config ?? SAMPLE, {
    start: (config) => startServer({ config, store, resp, http, openToEveryone, version, log }),
    log,
  });
  terminal.out(options.json ? listeningJson(server) : welcomeText(server));

  const signal = await told;
  log.info({ signal }, "closing: what has been asked is answered, and nothing new is taken");
  await server.close();
  watch.close();
  return EXIT.ok;
}

function listeningJson({ resp, http, store }: Server): string {
  return JSON.stringify({ resp: hostPortText(resp), http: hostPortText(http), store });
}
