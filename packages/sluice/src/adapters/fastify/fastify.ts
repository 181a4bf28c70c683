/** The gate as a plugin of Fastify 5: `app.register(gate, { limit: "ip:100/m" })`, and for a route in its config. */

import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { admission, type Next } from "../node/admission.js";
import { FASTIFY_REPLY, type FastifyReply } from "./reply.js";
import { type FastifyRequest, fastifyRequest } from "./request.js";
import { type FastifyInstance, routeGates } from "./routes.js";

export type { FastifyInstance };

/** What a route says in `config: { gate: … }`, in place of what the plugin says; false for no gate at all. */
export type RouteGate<Request = FastifyRequest> = Partial<FastifyRouteOptions<Request>> | false;

export interface FastifyRouteOptions<Request = FastifyRequest> extends GateOptions<Request, FastifyReply> {
  /** False where only routes that say so have a gate. */
  readonly limit: GateLimit | false;
}

export interface FastifyGateOptions<Request = FastifyRequest> extends FastifyRouteOptions<Request> {
  /** When to count: "onRequest" when left out; "preHandler" where the facts need the body. */
  readonly hook?: "onRequest" | "preValidation" | "preHandler" | undefined;
}

/** As `gate<FastifyRequest>` for functions of Fastify's own requests. Asynchronous, so that Fastify hears of mistakes. */
export async function gate<Request extends FastifyRequest>(
  app: FastifyInstance,
  options: FastifyGateOptions<Request>,
): Promise<void>;
export async function gate(app: FastifyInstance, options: FastifyGateOptions): Promise<void>;
export async function gate(app: FastifyInstance, options: FastifyGateOptions): Promise<void> {
  const { hook = "onRequest", ...usual } = options;
  const make = ({ limit, ...gateOptions }: FastifyRouteOptions) =>
    limit === false ? undefined : admission(createGate(limit, gateOptions), FASTIFY_REPLY);
  const admitFor = routeGates(app, { usual, make });
  const count = (request: FastifyRequest, reply: FastifyReply, next: Next) => {
    const admit = admitFor(request);
    if (admit === undefined) next();
    else admit(request, fastifyRequest(request), reply, next);
  };
  app.addHook(hook as never, count as never);
}

/** The hooks are for the application that registers the plugin, and not for the plugin alone. */
Object.assign(gate, {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "sluice",
});
