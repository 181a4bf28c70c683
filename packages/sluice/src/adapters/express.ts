/** The gate as a middleware of Express 4 and 5: `app.use(gate("ip:100/m"))`, or on a route. */
import { admission } from "../http/admission.js";
import { type ExpressRequest, expressRequest } from "../http/express-request.js";
import { createGate } from "../http/gate.js";
import type { GateLimit, GateOptions } from "../http/gate-options.js";
import { NODE_RESPONSE, type NodeResponse } from "../http/node-response.js";

export type ExpressGate<Request, Response> = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => void;

export function gate<
  Request extends ExpressRequest = ExpressRequest,
  Response extends NodeResponse = NodeResponse,
>(limit: GateLimit, options?: GateOptions<Request, Response>): ExpressGate<Request, Response> {
  const admit = admission(createGate(limit, options), NODE_RESPONSE);
  return (request, response, next) => admit(request, expressRequest(request), response, next);
}
