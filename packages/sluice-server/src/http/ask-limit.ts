/** Asks a named limit what a request wants of it. */
import { BadCost, BadFact, Closed, type Decision, type Facts, MissingSelector } from "sluice";
import { StoreUnavailable } from "sluice/redis";
import type { LimitAction, NamedLimit, NamedLimits } from "../limits/named-limits.js";
import { ProblemError } from "./problem.js";
import { shortened } from "./shortened.js";

export interface Question {
  readonly facts?: Facts | undefined;
  readonly cost?: number | undefined;
}

export function limitNamed(limits: NamedLimits, name: string): NamedLimit {
  const limit = limits.get(name);
  if (limit !== undefined) return limit;
  throw new ProblemError(404, "No limit of this name is configured; GET /v1/limits lists them.");
}

/** A decision, or nothing for a refund or a reset. */
export async function askLimit(
  { limiter }: NamedLimit,
  action: LimitAction,
  { facts = {}, cost }: Question,
): Promise<Decision | undefined> {
  try {
    if (action === "reset") return void (await limiter.reset(facts));
    const answer = await limiter[action](facts, cost === undefined ? undefined : { cost });
    return answer ?? undefined;
  } catch (error) {
    throw asProblem(error);
  }
}

/** Where the caller or the store is the cause; every other error is ours, and stays as it is. */
function asProblem(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof Closed)
    return new ProblemError(503, error.message, { code: error.code });
  if (error instanceof MissingSelector || error instanceof BadFact || error instanceof BadCost)
    return new ProblemError(400, shortened(error.message), { code: error.code });
  return error;
}
