/** Forward-auth for proxies: whether a request may pass, as a status and the standard headers. */
import type { FastifyInstance } from "fastify";
import { headersOf, refusalOf } from "sluice/http";
import type { NamedLimits } from "../limits/named-limits.js";
import { askLimit, limitNamed } from "./ask-limit.js";
import { GATE } from "./gate-operation.js";
import { readGateQuery } from "./gate-query.js";

export function gateRoute(app: FastifyInstance, limits: NamedLimits): void {
  app.get<{ Params: { name: string } }>(
    "/v1/gate/:name",
    { config: { operation: GATE, isForProxies: true } },
    async ({ params, url }, reply) => {
      const limit = limitNamed(limits, params.name);
      const { status: chosen, ...question } = readGateQuery(url);
      const decision = await askLimit(limit, "consume", question);
      if (decision === undefined) throw new Error("A consume has a decision.");
      if (decision.allowed)
        return reply
          .headers({ ...headersOf(decision) })
          .code(204)
          .send();
      const { headers, body, status } = refusalOf(decision);
      return reply
        .headers({ ...headers })
        .code(chosen ?? status)
        .send(bytesOf(body, chosen));
    },
  );
}

/** As bytes, since fastify gives a text its charset, and JSON has none. */
function bytesOf(problem: string, chosen: number | undefined): Buffer {
  if (chosen === undefined) return Buffer.from(problem);
  return Buffer.from(JSON.stringify({ ...(JSON.parse(problem) as object), status: chosen }));
}
