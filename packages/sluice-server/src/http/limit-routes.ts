/** Decisions about named limits, one at a time, and the list of them. */
import type { FastifyInstance } from "fastify";
import type { LimitAction, NamedLimits } from "../limits/named-limits.js";
import { askLimit, limitNamed, type Question } from "./ask-limit.js";
import { json, type Operation, problem } from "./operation.js";
import { ACTIONS, QUESTION, SUBJECT } from "./request-schemas.js";

export function limitRoutes(app: FastifyInstance, limits: NamedLimits): void {
  app.get("/v1/limits", { config: { operation: LIST } }, () => ({
    limits: limits.all().map(({ name, config, selectors }) => ({
      name,
      rule: config.rule,
      selectors,
      shadow: config.shadow ?? false,
    })),
  }));

  for (const action of ACTIONS) {
    app.post<{ Params: { name: string }; Body: Question }>(
      `/v1/limits/:name/${action}`,
      {
        schema: { body: action === "reset" ? SUBJECT : QUESTION },
        config: { operation: OPERATIONS[action] },
        // Where nothing has to be said, nothing has to be sent.
        preValidation: async (request) => {
          if (request.body === undefined) request.body = {};
        },
      },
      async ({ params, body }, reply) => {
        const decision = await askLimit(limitNamed(limits, params.name), action, body);
        return decision === undefined ? reply.code(204).send() : decision;
      },
    );
  }
}

const LIST: Operation = {
  operationId: "listLimits",
  summary: "The limits of the configuration",
  tag: "limits",
  responses: { 200: json("In the order of the configuration.", "LimitList") },
};

const UNAVAILABLE = {
  503: problem("The store does not answer, and the limit's failure policy is to throw."),
};

const OPERATIONS: Readonly<Record<LimitAction, Operation>> = {
  consume: {
    operationId: "consume",
    summary: "Decide, and charge when allowed",
    tag: "decisions",
    responses: { 200: json("The decision, allowed or not.", "Decision"), ...UNAVAILABLE },
  },
  peek: {
    operationId: "peek",
    summary: "What consume would decide",
    description: "Charges nothing.",
    tag: "decisions",
    responses: { 200: json("The decision, allowed or not.", "Decision"), ...UNAVAILABLE },
  },
  refund: {
    operationId: "refund",
    summary: "Give back what an earlier request was charged",
    tag: "decisions",
    responses: { 204: { description: "Given back." }, ...UNAVAILABLE },
  },
  reset: {
    operationId: "reset",
    summary: "Forget all that was counted for these facts",
    tag: "decisions",
    responses: { 204: { description: "Forgotten." }, 503: problem("The store does not answer.") },
  },
};
