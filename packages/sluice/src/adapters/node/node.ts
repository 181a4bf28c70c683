/** The gate around a handler of Node's http, https or http2: `createServer(gate("ip:100/m")(handler))`. */

import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { admission } from "./admission.js";
import { failureAnswer } from "./failure.js";
import { type NodeRequest, nodeRequest } from "./request.js";
import { NODE_RESPONSE, type NodeResponse } from "./response.js";

/** What a handler returns or throws is its own affair, as without a gate. */
export type NodeGate<Request, Response> = <Req extends Request, Res extends Response>(
  handler: (request: Req, response: Res) => unknown,
) => (request: Req, response: Res) => void;

export function gate<Request extends NodeRequest = NodeRequest, Response extends NodeResponse = NodeResponse>(
  limit: GateLimit,
  options?: GateOptions<Request, Response>,
): NodeGate<Request, Response> {
  const admit = admission(createGate(limit, options), NODE_RESPONSE);
  const fail = failureAnswer(NODE_RESPONSE, options);
  return (handler) => (request, response) => {
    admit(request, nodeRequest(request), response, (error) => {
      if (error === undefined) handler(request, response);
      else fail(response, error);
    });
  };
}
