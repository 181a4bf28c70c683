/** A request of Fastify as the gate sees it: also behind NestJS. */
import { type NodeRequest, nodeRequest } from "./node-request.js";
import type { HttpRequest } from "./request.js";

export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly originalUrl?: string;
  readonly headers: NodeRequest["headers"];
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly routeOptions: { readonly config?: unknown };
}

/** Fastify makes the options of the route anew at each reading: who has read their config hands it on. */
export function fastifyRequest(
  request: FastifyRequest,
  config: unknown = request.routeOptions.config,
): HttpRequest {
  return nodeRequest(request.raw, request, (config as { readonly url?: string } | undefined)?.url);
}
