/** Answers with a problem document. */
import type { FastifyReply } from "fastify";
import { PROBLEM_TYPE, type Problem } from "./problem.js";

/** As bytes, since fastify gives a text its charset, and JSON has none. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(Buffer.from(JSON.stringify(problem)));
}
