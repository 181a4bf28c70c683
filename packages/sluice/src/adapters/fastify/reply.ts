/** A reply of Fastify, as the gate writes to it: also behind NestJS. */

import { remembered } from "../../http/remembered.js";
import type { ResponseKind } from "../node/admission.js";
import type { NodeResponse } from "../node/response.js";

export interface FastifyReply {
  readonly raw: NodeResponse;
  readonly sent: boolean;
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
  code(status: number): unknown;
  send(body: string): unknown;
}

/** As Fastify keeps them: it would make the same text anew at each call, and V8 look for it among all names. */
const lowerCase = remembered(100, (name) => name.toLowerCase());

export const FASTIFY_REPLY: ResponseKind<FastifyReply> = {
  isSent: (reply) => reply.sent || reply.raw.headersSent,
  header: (reply, name) => reply.getHeader(lowerCase(name)),
  setHeader: (reply, name, value) => reply.header(lowerCase(name), value),
  send(reply, status, body) {
    reply.code(status);
    reply.send(body);
  },
  ending: (reply) => reply.raw,
};
