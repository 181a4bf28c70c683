/** Forward-auth for proxies: whether a request may pass, as a status and the standard headers. */
import type { FastifyInstance } from "fastify";
import type { Decision } from "sluice";
import { headersOf } from "sluice/http";
import type { NamedLimits } from "../limits/named-limits.js";
import { askLimit, limitNamed } from "./ask-limit.js";
import { GATE } from "./gate-operation.js";
import { readGateQuery } from "./gate-query.js";
import type { Problem } from "./problem.js";
import { sendProblem } from "./send-problem.js";

interface Refusal extends Problem {
  readonly "violated-policies": readonly string[];
}

const PROBLEM_TYPES = "https://iana.org/assignments/http-problem-types";

export function gateRoute(app: FastifyInstance, limits: NamedLimits): void {
  app.get<{ Params: { name: string } }>(
    "/v1/gate/:name",
    { config: { operation: GATE, isForProxies: true } },
    async ({ params, url }, reply) => {
      const limit = limitNamed(limits, params.name);
      const { status, ...question } = readGateQuery(url);
      const decision = await askLimit(limit, "consume", question);
      if (decision === undefined) throw new Error("A consume has a decision.");
      reply.headers({ ...headersOf(decision) });
      if (decision.allowed) return reply.code(204).send();
      return sendProblem(reply, refusalOf(decision, status));
    },
  );
}

/** Who is refused since the store is away has used nothing up. */
function refusalOf({ policy, refusedBy }: Decision, chosen: number | undefined): Refusal {
  const isAway = policy === "deny";
  return {
    type: `${PROBLEM_TYPES}#${isAway ? "temporary-reduced-capacity" : "quota-exceeded"}`,
    title: isAway ? "Temporarily reduced capacity" : "Quota exceeded",
    status: chosen ?? (isAway ? 503 : 429),
    detail: isAway
      ? "The store of the limits does not answer, and until it does requests are refused."
      : "More was asked for than the limits allow.",
    "violated-policies": refusedBy.map(({ rule }) => rule),
  };
}
