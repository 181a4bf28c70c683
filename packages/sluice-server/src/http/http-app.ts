/** Everything that can be asked over HTTP, and what all of it has in common. */
import Fastify, { type FastifyError, type FastifyReply, type FastifyServerFactory } from "fastify";
import type { NamedLimits } from "../limits/named-limits.js";
import type { Log } from "../log.js";
import { TokenGuard } from "../tokens.js";
import { problemOf, schemaMistake } from "./bad-request.js";
import { batchRoute } from "./batch-route.js";
import { markAuthenticated } from "./connections.js";
import { gateRoute } from "./gate-route.js";
import { readJsonOnly } from "./json-body.js";
import { limitRoutes } from "./limit-routes.js";
import { openApiRoute } from "./openapi.js";
import { type PageOptions, pageRoutes } from "./page/page-routes.js";
import { LARGEST_BODY } from "./patience.js";
import { ProblemError } from "./problem.js";
import { listRoutes, methodsAt } from "./route-list.js";
import { sendProblem } from "./send-problem.js";
import { type ServerState, serverRoutes } from "./server-routes.js";
import { checkSite, type SiteOptions } from "./site-check.js";
import { checkToken } from "./token-check.js";

export interface AppOptions extends ServerState, SiteOptions {
  readonly limits: NamedLimits;
  /** Shared with other surfaces, so that a guesser cannot turn to those. */
  readonly tokenGuard?: TokenGuard | undefined;
  readonly version: string;
  readonly log: Log;
  /** The web page, where there is one. */
  readonly page?: Omit<PageOptions, "limits" | "tokens" | "version"> | undefined;
  /** Told of every answer, how long it took. */
  readonly answered?: ((milliseconds: number) => void) | undefined;
}

/** Longer than any address, so that a long name is no limit's name, as every other. */
const LONGEST_NAME = 64 * 1024;

export function createHttpApp(options: AppOptions, serverFactory: FastifyServerFactory) {
  const { limits, tokens, tokenGuard = new TokenGuard(), version, log, answered, page } = options;

  function answerError(error: FastifyError | ProblemError, reply: FastifyReply): FastifyReply {
    const problem = problemOf(error);
    if (problem.status >= 500 && !(error instanceof ProblemError))
      log.error({ err: error }, "A request failed.");
    reply.headers({ ...problem.headers, "Cache-Control": "no-store" });
    return sendProblem(reply, problem.toProblem());
  }

  const app = Fastify({
    serverFactory,
    bodyLimit: LARGEST_BODY,
    forceCloseConnections: "idle",
    // Whoever is still heard is answered.
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_NAME },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
    schemaErrorFormatter: schemaMistake,
    // What is no request at all, the server underneath answers.
    clientErrorHandler() {},
    frameworkErrors: (error, _, reply) => answerError(error, reply),
  });
  readJsonOnly(app);
  const routes = listRoutes(app);

  app.addHook("onRequest", async (request) => {
    const { headers, raw, routeOptions } = request;
    if (headers.host === undefined && raw.httpVersion === "1.1")
      throw new ProblemError(400, "A request of HTTP/1.1 has a Host header.");
    checkSite(request, options);
    if (routeOptions.config.isOpen === true) return;
    checkToken(headers.authorization, tokens(), tokenGuard, raw.socket.remoteAddress);
    if (tokens().length > 0) markAuthenticated(raw.socket);
  });
  // What is true now need not be true later, unless a route says so.
  app.addHook("onSend", async (_, reply, payload) => {
    if (!reply.hasHeader("Cache-Control")) reply.header("Cache-Control", "no-store");
    return payload;
  });
  app.setErrorHandler((error: FastifyError | ProblemError, _, reply) => answerError(error, reply));
  app.setNotFoundHandler(({ url }) => {
    const methods = methodsAt(routes, url);
    if (methods.length === 0)
      throw new ProblemError(404, "Nothing is here; GET /openapi.json lists what there is.");
    const allowed = methods.join(", ");
    throw new ProblemError(405, `This is asked with ${allowed}.`, { headers: { Allow: allowed } });
  });
  if (answered !== undefined) app.addHook("onResponse", async (_, reply) => answered(reply.elapsedTime));

  openApiRoute(app, routes, version);
  serverRoutes(app, options);
  limitRoutes(app, limits);
  batchRoute(app, limits);
  gateRoute(app, limits);
  if (page !== undefined) app.register(pageRoutes, { ...options, ...page });
  return app;
}
