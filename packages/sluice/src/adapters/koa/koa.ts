/** The gate as a middleware of Koa 2 and 3: `app.use(gate("ip:100/m"))`. */

import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { awaitedAdmission, type ResponseKind } from "../node/admission.js";
import { type NodeRequest, nodeRequest } from "../node/request.js";
import type { NodeResponse } from "../node/response.js";

export interface KoaContext {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly originalUrl: string;
  readonly headerSent: boolean;
  status: number;
  body: unknown;
  set(name: string, value: string): void;
  /** Where a router has found one. */
  readonly _matchedRoute?: unknown;
}

export type KoaGate<Context> = (context: Context, next: () => Promise<unknown>) => Promise<void>;

const KOA_RESPONSE: ResponseKind<KoaContext> = {
  isSent: ({ headerSent }) => headerSent,
  header: ({ res }, name) => res.getHeader(name),
  setHeader: (context, name, value) => context.set(name, value),
  send(context, status, body) {
    context.status = status;
    context.body = body;
  },
  ending: ({ res }) => res,
};

export function gate<Context extends KoaContext = KoaContext>(
  limit: GateLimit,
  options?: GateOptions<Context, Context>,
): KoaGate<Context> {
  const admit = awaitedAdmission(createGate(limit, options), KOA_RESPONSE);
  return async (context, next) => {
    const route = typeof context._matchedRoute === "string" ? context._matchedRoute : undefined;
    const request = nodeRequest(context.req, context, route);
    if (await admit(context, request, context)) await next();
  };
}
