/** Calls of all kinds, all at once and one by one, with the time that each took. */
import { setTimeout as delay } from "node:timers/promises";
import type { Decision } from "../../src/decision/decision.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { type LoopWatch, watchLoop } from "./loop-watch.js";

export type CallKind = "consume" | "peek" | "refund";

export interface Call {
  readonly kind: CallKind;
  /** Without what the event loop was held up meanwhile. */
  readonly durationMs: number;
  readonly decision: Decision | undefined;
  readonly error: unknown;
}

/** Each kind has a user of its own, so that none changes what another is answered. */
const KINDS: readonly CallKind[] = ["consume", "consume", "peek", "consume", "refund"];
const AT_ONCE = 100;
const PAUSE_MS = 10;

/** 100 calls at once, then one after another for some time: more than 200 in all. */
export async function callFor(limiter: Limiter, lastingMs: number): Promise<readonly Call[]> {
  const watch = watchLoop();
  const start = performance.now();
  const kindOf = (number: number) => KINDS[number % KINDS.length]!;
  const calls = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, number) => timed(limiter, kindOf(number), watch)),
  );
  while (performance.now() < start + lastingMs || calls.length < 2 * AT_ONCE) {
    calls.push(await timed(limiter, kindOf(calls.length), watch));
    if (calls.length % 2 === 0) await delay(PAUSE_MS);
  }
  watch.stop();
  return calls;
}

async function timed(limiter: Limiter, kind: CallKind, watch: LoopWatch): Promise<Call> {
  const start = performance.now();
  let decision: Decision | undefined;
  let error: unknown;
  try {
    decision = (await limiter[kind]({ user: kind })) ?? undefined;
  } catch (thrown) {
    error = thrown;
  }
  const end = performance.now();
  return { kind, durationMs: end - start - watch.heldUpMs(start, end), decision, error };
}

/** How long it takes until the store answers again. */
export async function recoveryMs(limiter: Limiter): Promise<number> {
  const start = performance.now();
  while ((await limiter.consume({ user: "returning" })).source !== "store") {
    if (performance.now() > start + 10_000) return Number.POSITIVE_INFINITY;
    await delay(20);
  }
  return performance.now() - start;
}
