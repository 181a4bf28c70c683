/** Asks a named limit what a request wants of it. */
import { type Decision, type Facts, SluiceError } from "sluice";
import { StoreUnavailable } from "sluice/redis";
import type { LimitAction, NamedLimit, NamedLimits } from "../limits/named-limits.js";
import { ProblemError } from "./problem.js";

export interface Question {
  readonly facts?: Facts | undefined;
  readonly cost?: number | undefined;
}

export function limitNamed(limits: NamedLimits, name: string): NamedLimit {
  const limit = limits.get(name);
  if (limit !== undefined) return limit;
  throw new ProblemError(
    404,
    "No such limit",
    "No limit of this name is configured; GET /v1/limits lists them.",
  );
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

export function asProblem(error: unknown): unknown {
  if (error instanceof StoreUnavailable) {
    return new ProblemError(503, "The store does not answer", error.message, error.code);
  }
  if (error instanceof SluiceError) return new ProblemError(400, "Bad request", error.message, error.code);
  return error;
}

/** JSON has no infinity. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (part === Number.POSITIVE_INFINITY ? null : part));
}
