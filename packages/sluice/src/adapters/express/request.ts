/** A request of Express as the gate sees it: also behind NestJS. */

import type { HttpRequest } from "../../http/request.js";
import { type NodeRequest, nodeRequest } from "../node/request.js";

export interface ExpressRequest extends NodeRequest {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
  /** Known on a route, and not in `app.use`. */
  readonly route?: unknown;
}

export function expressRequest(request: ExpressRequest): HttpRequest {
  return nodeRequest(request, request, routeOf(request));
}

/**
 * Where a router is mounted, Express tells by the path and not by the pattern: under `app.use("/shops/:shop", router)`
 * each shop has routes of its own.
 */
function routeOf({ baseUrl = "", route }: ExpressRequest): string | undefined {
  if (typeof route !== "object" || route === null || !("path" in route)) return undefined;
  return `${baseUrl}${route.path}`;
}
