/** A request of Fastify as the gate sees it: also behind NestJS. */

import type { HttpRequest } from "../../http/request.js";
import { type NodeRequest, nodeRequest } from "../node/request.js";

export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly originalUrl?: string;
  readonly headers: NodeRequest["headers"];
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly routeOptions: { readonly config?: unknown; readonly url?: string | undefined };
}

export function fastifyRequest(request: FastifyRequest): HttpRequest {
  return nodeRequest(request.raw, request);
}
