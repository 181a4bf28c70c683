/** A reply of Fastify, as the gate writes to it: also behind NestJS. */
import type { ResponseKind } from "./admission.js";
import type { NodeResponse } from "./node-response.js";

export interface FastifyReply {
  readonly raw: NodeResponse;
  readonly sent: boolean;
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
  code(status: number): unknown;
  send(body: string): unknown;
}

export const FASTIFY_REPLY: ResponseKind<FastifyReply> = {
  isSent: (reply) => reply.sent || reply.raw.headersSent,
  header: (reply, name) => reply.getHeader(name),
  setHeader: (reply, name, value) => reply.header(name, value),
  send(reply, status, body) {
    reply.code(status);
    reply.send(body);
  },
  ending: (reply) => reply.raw,
};
