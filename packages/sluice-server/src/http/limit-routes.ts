/** Decisions about named limits: one, many at once, and the list of them. */
import type { FastifyInstance } from "fastify";
import type { LimitAction, NamedLimits } from "../limits/named-limits.js";
import { askLimit, asProblem, limitNamed, type Question, toJson } from "./ask-limit.js";
import { type Problem, ProblemError } from "./problem.js";
import { ACTIONS, BATCH, DECISION, LIMIT_LIST, QUESTION } from "./schemas.js";

interface BatchRequest extends Question {
  readonly limit: string;
  readonly action: LimitAction;
}

export function limitRoutes(app: FastifyInstance, limits: NamedLimits): void {
  app.get("/v1/limits", { schema: { response: { 200: LIMIT_LIST } } }, () => ({
    limits: limits.all().map(({ name, config, selectors }) => ({
      name,
      rule: config.rule,
      selectors,
      shadow: config.shadow ?? false,
    })),
  }));

  for (const action of ACTIONS) {
    const decides = action === "consume" || action === "peek";
    const schema = { body: QUESTION, response: decides ? { 200: DECISION } : { 204: { type: "null" } } };
    app.post<{ Params: { name: string }; Body: Question | undefined }>(
      `/v1/limits/:name/${action}`,
      { schema, serializerCompiler: () => toJson },
      async ({ params, body }, reply) => {
        const decision = await askLimit(limitNamed(limits, params.name), action, body ?? {});
        return decision === undefined ? reply.code(204).send() : decision;
      },
    );
  }

  /** Asked in one turn, so that a store that batches decides them together. A mistake in one is an answer of that one. */
  app.post<{ Body: { requests: readonly BatchRequest[] } }>(
    "/v1/batch",
    { schema: { body: BATCH }, serializerCompiler: () => toJson },
    async ({ body }) => ({
      answers: await Promise.all(body.requests.map((request) => answerTo(limits, request))),
    }),
  );
}

type BatchAnswer = { readonly decision: unknown } | { readonly problem: Problem };

async function answerTo(
  limits: NamedLimits,
  { limit, action, ...question }: BatchRequest,
): Promise<BatchAnswer> {
  try {
    return { decision: (await askLimit(limitNamed(limits, limit), action, question)) ?? null };
  } catch (error) {
    const problem = asProblem(error);
    if (problem instanceof ProblemError) return { problem: problem.toProblem() };
    throw error;
  }
}
