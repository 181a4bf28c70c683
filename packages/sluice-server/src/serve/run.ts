/** Runs a server for the command line: from its configuration until it is told to stop. */
import { fileURLToPath } from "node:url";
import { EXIT } from "../cli/exit-code.js";
import type { Serve } from "../cli/serve.js";
import { followConfig } from "./follow-config.js";
import { hostPortText } from "./host-port.js";
import { type Server, startServer } from "./server.js";
import { logEverything, openLog } from "./server-log.js";
import { toldToStop } from "./stop-signal.js";
import { welcomeText } from "./what-to-try.js";

const SAMPLE = fileURLToPath(new URL("../../sample/sluice.yaml", import.meta.url));

export const serve: Serve = async (options, { terminal, version }) => {
  const { resp, http, store, openToEveryone = false } = options;
  const log = openLog(options.logLevel);
  logEverything(log);
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
};

function listeningJson({ resp, http, store }: Server): string {
  return JSON.stringify({ resp: hostPortText(resp), http: hostPortText(http), store });
}
