/** The web page: its files, what it is told, and what it may do; behind a limit of our own. */
import type { FastifyInstance } from "fastify";
import { createGate } from "sluice/http";
import { ProblemError } from "../problem.js";
import { type IdentityOptions, identityRoutes } from "./identity-routes.js";
import { type EventsOptions, liveEvents } from "./live-events.js";
import { liveHistory } from "./live-history.js";
import { pageFiles } from "./page-files.js";

export interface PageOptions extends IdentityOptions, EventsOptions {
  /** Where the built page is. */
  readonly folder: string;
}

/** A person who clicks, with several tabs open; nobody who tries tokens. */
const RULE = "ip:10/s burst 100";

export async function pageRoutes(app: FastifyInstance, options: PageOptions): Promise<void> {
  const gate = createGate(RULE, { headers: false, onWarning() {} });
  app.addHook("onRequest", async ({ method, url, socket, headers }) => {
    const passage = await gate.enter(undefined, {
      method,
      path: url,
      address: socket.remoteAddress,
      header: (name) => headers[name]?.toString(),
    });
    if (!passage.pass) {
      const { status, headers } = passage.refusal;
      throw new ProblemError(status, "This address asks too often.", { headers: { ...headers } });
    }
  });
  pageFiles(app, options.folder);
  liveEvents(app, options);
  liveHistory(app, options);
  identityRoutes(app, options);
}
