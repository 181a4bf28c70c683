/** Forward-auth for proxies: a status and the standard headers, and nothing else. */
import type { FastifyInstance } from "fastify";
import { headersOf } from "../explain/headers.js";
import type { NamedLimits } from "../limits/named-limits.js";
import { askLimit, limitNamed } from "./ask-limit.js";
import { ProblemError } from "./problem.js";

/** nginx's auth_request knows only 401 and 403. */
const REFUSALS = [401, 403, 429, 503];
const RESERVED = ["cost", "status"];

/** Facts are in the query: `?user=42&cost=2&status=403`. */
export function gateRoute(app: FastifyInstance, limits: NamedLimits): void {
  app.get<{ Params: { name: string }; Querystring: Record<string, unknown> }>(
    "/v1/gate/:name",
    async ({ params, query }, reply) => {
      const status = refusalStatus(query["status"]);
      const decision = await askLimit(limitNamed(limits, params.name), "consume", {
        facts: factsIn(query),
        cost: costIn(query["cost"]),
      });
      if (decision === undefined) throw new Error("A consume has a decision.");
      reply.headers({ ...headersOf(decision), "Cache-Control": "no-store" });
      return reply.code(decision.allowed ? 204 : status).send();
    },
  );
}

function refusalStatus(given: unknown): number {
  if (given === undefined) return 429;
  const status = Number(given);
  if (REFUSALS.includes(status)) return status;
  throw new ProblemError(400, "Bad request", `status is one of ${REFUSALS.join(", ")}.`);
}

function costIn(given: unknown): number | undefined {
  return given === undefined ? undefined : Number(given);
}

/** A name that is given twice would let a caller choose whom he counts as. */
function factsIn(query: Record<string, unknown>): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (RESERVED.includes(name)) continue;
    if (typeof value !== "string")
      throw new ProblemError(400, "Bad request", `${JSON.stringify(name)} is given twice.`);
    facts[name] = value;
  }
  return facts;
}
