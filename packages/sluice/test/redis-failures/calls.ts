/** Calls of all kinds, all at once and one by one, with the time that each took. */
import { setTimeout as delay } from "node:timers/promises";
import type { Decision } from "../../src/decision/decision.js";
import type { Limiter } from "../../src/limiter/limiter.js";
import { type Span, watchStarvation } from "./starvation.js";

/** The default of a store. */
export const DEADLINE_MS = 250;
/** How much longer than its deadline a call may take. */
export const TOLERANCE_MS = 50;

export interface Call {
  readonly tookMs: number;
  /** By how much the machine delayed it, busy with others. */
  readonly delayMs: number;
  readonly decision: Decision | undefined;
  readonly error: unknown;
}

type Ask = () => Promise<Decision> | Promise<void>;

/** Asks all at once, with a deadline of so many milliseconds. */
export async function callAll(deadlineMs: number, asks: readonly Ask[]): Promise<readonly Call[]> {
  const watch = watchStarvation();
  const calls = await Promise.all(asks.map((ask) => call(deadlineMs, ask)));
  const delayOf = watch.stop();
  return calls.map(({ span, ...answer }) => ({
    tookMs: span.end - span.start,
    delayMs: delayOf(span),
    ...answer,
  }));
}

async function call(
  deadlineMs: number,
  ask: Ask,
): Promise<Pick<Call, "decision" | "error"> & { readonly span: Span }> {
  const start = performance.now();
  const spanned = () => ({ start, due: start + deadlineMs, end: performance.now() });
  try {
    const decision = (await ask()) ?? undefined;
    return { span: spanned(), decision, error: undefined };
  } catch (error) {
    return { span: spanned(), decision: undefined, error };
  }
}

/** The time of the slowest call, but for the measured delay by a busy machine. */
export function longestMs(calls: readonly Call[]): number {
  return Math.max(...calls.map(({ tookMs, delayMs }) => tookMs - delayMs));
}

export type CallKind = "consume" | "peek" | "refund";

export interface KindOfCall extends Call {
  readonly kind: CallKind;
}

/** Each kind has a user of its own, so that none changes what another is answered. */
const KINDS: readonly CallKind[] = ["consume", "consume", "peek", "consume", "refund"];
const AT_ONCE = 100;
const PAUSE_MS = 10;

/** 100 calls at once, then one after another for some time: at least 200 in all. What is refunded was charged before. */
export async function callFor(
  limiter: Limiter,
  lastingMs: number,
  charged: readonly Decision[],
): Promise<readonly KindOfCall[]> {
  const start = performance.now();
  const left = [...charged];
  const kindOf = (number: number) => KINDS[number % KINDS.length]!;
  const ask = (number: number) => () => {
    const kind = kindOf(number);
    return kind === "refund" ? limiter.refund(left.pop()) : limiter[kind]({ user: kind });
  };
  const calls = [
    ...(await callAll(
      DEADLINE_MS,
      Array.from({ length: AT_ONCE }, (_, number) => ask(number)),
    )),
  ];
  while (performance.now() < start + lastingMs || calls.length < 2 * AT_ONCE) {
    calls.push(...(await callAll(DEADLINE_MS, [ask(calls.length)])));
    if (calls.length % 2 === 0) await delay(PAUSE_MS);
  }
  return calls.map((call, number) => ({ ...call, kind: kindOf(number) }));
}

/** Charges that are given back later; more than `callFor` has calls for. */
export async function chargeMany(limiter: Limiter): Promise<readonly Decision[]> {
  return Promise.all(Array.from({ length: 300 }, (_, user) => limiter.consume({ user: `refunded-${user}` })));
}

/** How long it takes until the store answers again, but for the measured delay by a busy machine. */
export async function recoveryMs(limiter: Limiter): Promise<number> {
  const watch = watchStarvation();
  const start = performance.now();
  while ((await limiter.consume({ user: "returning" })).source !== "store") {
    if (performance.now() > start + 30_000) {
      watch.stop();
      return Number.POSITIVE_INFINITY;
    }
    await delay(20);
  }
  const end = performance.now();
  return end - start - watch.stop()({ start, due: start, end });
}
