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
  readonly routeOptions: { readonly url?: string | undefined; readonly config?: unknown };
}

/** Fastify makes the options of the route anew at each reading: who has read them hands them on. */
export function fastifyRequest(request: FastifyRequest, options = request.routeOptions): HttpRequest {
  return nodeRequest(request.raw, request, options.url);
}
