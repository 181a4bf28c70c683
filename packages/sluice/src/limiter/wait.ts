/** Waiting to be admitted: in turn, asleep until the limit can pass, and no longer than the caller allows. */
import type { Decision } from "../decision/decision.js";
import { BadOption, shown } from "../errors.js";
import { keysOf, type Plan } from "../plan/plan.js";
import type { BoundRule } from "./bound-rule.js";
import { type Abortable, sleep, type WaitingLines } from "./waiting-line.js";

declare const performance: { now(): number };

export interface Patience {
  /** Give up, with a refusal, when it would take longer. */
  readonly maxWaitMs?: number | undefined;
  /** An AbortSignal; its reason is thrown. */
  readonly signal?: Abortable | undefined;
}

export async function waitInTurn(
  rule: BoundRule,
  plan: Plan,
  lines: WaitingLines,
  { maxWaitMs = Number.POSITIVE_INFINITY, signal }: Patience,
): Promise<Decision> {
  if (typeof maxWaitMs !== "number" || !(maxWaitMs >= 0)) {
    throw new BadOption(`maxWaitMs must be a number of at least 0, and it is ${shown(maxWaitMs)}.`);
  }
  const start = performance.now();
  const line = keysOf(plan).join(" ");
  const patient = uncounted(plan);

  async function askUntilAdmitted(): Promise<Decision> {
    for (;;) {
      const decision = await rule.ask(patient);
      const { allowed, retryAfterMs } = decision;
      if (allowed || retryAfterMs === Number.POSITIVE_INFINITY) return decision;
      if (Math.floor(performance.now() - start) + retryAfterMs > maxWaitMs) return decision;
      await sleep(retryAfterMs, signal);
    }
  }

  const decision = await lines.serveInTurn(line, maxWaitMs, signal, askUntilAdmitted);
  return rule.report(plan, decision ?? outwaited(await rule.peek(plan)));
}

/** Asking again is no hammering: who waits in turn is never charged for a refusal. */
function uncounted(plan: Plan): Plan {
  return plan.shape.countRefused ? { ...plan, shape: { ...plan.shape, countRefused: false } } : plan;
}

/** Refused because the time was over before those ahead, who wait for the same limits, had been served. */
function outwaited(decision: Decision): Decision {
  const { limits, refusedBy, retryAfterMs } = decision;
  return {
    ...decision,
    allowed: false,
    retryAfterMs: Math.max(1, retryAfterMs),
    refusedBy: refusedBy.length > 0 ? refusedBy : limits,
  };
}
