/** The HTTP surface: decisions, a gate for proxies, health, metrics and a document of all that. */

import type { AddressInfo } from "node:net";
import Fastify, { type FastifyError, type FastifyInstance } from "fastify";
import type { NamedLimits } from "../limits/named-limits.js";
import type { Log } from "../log.js";
import { isToken } from "../tokens.js";
import { gateRoute } from "./gate-route.js";
import { limitRoutes } from "./limit-routes.js";
import { describeRoutes } from "./openapi.js";
import { PROBLEM_TYPE, ProblemError } from "./problem.js";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: NamedLimits;
  readonly tokens: () => readonly string[];
  readonly version: string;
  readonly readiness: () => Readiness;
  /** In Prometheus's text form. */
  readonly metrics: () => Promise<string>;
  readonly log: Log;
  /** Told of every answer, how long it took. */
  readonly answered?: ((milliseconds: number) => void) | undefined;
}

/** Ready is who can answer, if need be by a failure policy: a store that is away must not take every server away. */
export interface Readiness {
  readonly ready: boolean;
  readonly store: string;
}

export interface HttpServer {
  readonly address: AddressInfo;
  close(): Promise<void>;
}

const LARGEST_BODY = 64 * 1024;
const SLOWEST_REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 10_000;
/** Whoever asks whether the server lives needs no token. */
const OPEN_PATHS = ["/healthz", "/readyz"];
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export async function listenHttp(options: HttpOptions): Promise<HttpServer> {
  const app = createHttpApp(options);
  await app.listen({ host: options.host, port: options.port });
  app.server.maxConnections = MOST_CONNECTIONS;
  return { address: app.server.address() as AddressInfo, close: () => app.close() };
}

export function createHttpApp({
  limits,
  tokens,
  version,
  readiness,
  metrics,
  log,
  answered,
}: HttpOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: LARGEST_BODY,
    requestTimeout: SLOWEST_REQUEST_MS,
    forceCloseConnections: "idle",
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
  });
  describeRoutes(app, version);

  app.addHook("onRequest", async ({ headers, routeOptions }) => {
    const known = tokens();
    if (known.length === 0 || OPEN_PATHS.includes(routeOptions.url ?? "")) return;
    const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
    if (given !== undefined && isToken(given, known)) return;
    throw new ProblemError(
      401,
      "No valid token",
      "Send one of the configured tokens: Authorization: Bearer …",
    );
  });
  app.setErrorHandler((error: FastifyError | ProblemError, _, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500 && !(error instanceof ProblemError))
      log.error({ err: error }, "A request failed.");
    if (problem.status === 401) reply.header("WWW-Authenticate", "Bearer");
    return reply.code(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem.toProblem()));
  });
  if (answered !== undefined) app.addHook("onResponse", async (_, reply) => answered(reply.elapsedTime));
  app.setNotFoundHandler(() => {
    throw new ProblemError(404, "Nothing here", "GET /openapi.json lists what there is.");
  });

  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", (_, reply) => {
    const { ready, store } = readiness();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "closing", store });
  });
  app.get("/metrics", async (_, reply) => reply.type(METRICS_TYPE).send(await metrics()));
  limitRoutes(app, limits);
  gateRoute(app, limits);
  return app;
}

/** What a caller did wrong is told; what we did wrong is not. */
function problemOf(error: FastifyError | ProblemError): ProblemError {
  if (error instanceof ProblemError) return error;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new ProblemError(status, "Bad request", error.message);
  return new ProblemError(500, "Something went wrong", "The server's log says what.");
}
