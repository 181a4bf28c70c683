/** The way through a gate on either platform of NestJS, told apart by what Fastify alone has. */

import type { Gate } from "../../http/gate/gate.js";
import { type ExpressRequest, expressRequest } from "../express/request.js";
import { FASTIFY_REPLY, type FastifyReply } from "../fastify/reply.js";
import { type FastifyRequest, fastifyRequest } from "../fastify/request.js";
import { awaitedAdmission } from "../node/admission.js";
import { NODE_RESPONSE, type NodeResponse } from "../node/response.js";
import { type ExceptionOf, throwingRefusals } from "./thrown-refusal.js";

export type PlatformRequest = ExpressRequest | FastifyRequest;
export type PlatformResponse = NodeResponse | FastifyReply;

export function platformAdmission<Request, Response>(
  gate: Gate<Request, Response>,
  exception: ExceptionOf | undefined,
): (request: Request, response: Response) => Promise<boolean> {
  const { enter } = gate as Gate;
  const onExpress = awaitedAdmission({ enter }, throwingRefusals(NODE_RESPONSE, exception));
  const onFastify = awaitedAdmission({ enter }, throwingRefusals(FASTIFY_REPLY, exception));
  return (request, response) =>
    isReply(response)
      ? onFastify(request, fastifyRequest(request as FastifyRequest), response)
      : onExpress(request, expressRequest(request as ExpressRequest), response as NodeResponse);
}

function isReply(response: unknown): response is FastifyReply {
  return typeof response === "object" && response !== null && "raw" in response;
}
