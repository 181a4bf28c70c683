/** Many questions at once: asked in one turn, so that a store that batches decides them together. */
import type { FastifyInstance } from "fastify";
import type { LimitAction, NamedLimits } from "../limits/named-limits.js";
import { askLimit, limitNamed, type Question } from "./ask-limit.js";
import { json, type Operation } from "./operation.js";
import { type Problem, ProblemError } from "./problem.js";
import { BATCH } from "./request-schemas.js";

interface BatchRequest extends Question {
  readonly limit: string;
  readonly action: LimitAction;
}

export function batchRoute(app: FastifyInstance, limits: NamedLimits): void {
  app.post<{ Body: { requests: readonly BatchRequest[] } }>(
    "/v1/batch",
    { schema: { body: BATCH }, config: { operation: OPERATION } },
    async ({ body }) => ({ answers: await answersTo(limits, body.requests) }),
  );
}

/** All at once, except that what follows a refund waits for it: a refund has to know what was charged before it. */
async function answersTo(
  limits: NamedLimits,
  requests: readonly BatchRequest[],
): Promise<readonly BatchAnswer[]> {
  const answers: Promise<BatchAnswer>[] = [];
  for (const request of requests) {
    const answer = answerTo(limits, request);
    /** Heard of at the end, all together. */
    answer.catch(() => {});
    answers.push(answer);
    if (request.action === "refund") await answer;
  }
  return Promise.all(answers);
}

const OPERATION: Operation = {
  operationId: "batch",
  summary: "Ask many limits at once",
  description:
    "On Redis they travel together, and those that count the same are decided in their order. A mistake in one, such " +
    "as a limit that does not exist, is the answer to that one; a body that is not as it should be is refused as a " +
    "whole, and nothing is charged.",
  tag: "decisions",
  responses: { 200: json("An answer to each request, in their order.", "BatchAnswers") },
};

type BatchAnswer = { readonly decision: unknown } | { readonly problem: Problem };

async function answerTo(limits: NamedLimits, request: BatchRequest): Promise<BatchAnswer> {
  const { limit, action, ...question } = request;
  try {
    if (action === "reset" && question.cost !== undefined)
      throw new ProblemError(400, "A reset forgets all, and takes no cost.");
    return { decision: (await askLimit(limitNamed(limits, limit), action, question)) ?? null };
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error.toProblem() };
    throw error;
  }
}
