/** The gate as a middleware of Express 4 and 5: `app.use(gate("ip:100/m"))`, or on a route. */

import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { admission } from "../node/admission.js";
import { NODE_RESPONSE, type NodeResponse } from "../node/response.js";
import { type ExpressRequest, expressRequest } from "./request.js";

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
