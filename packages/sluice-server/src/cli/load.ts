/** Callers that ask again and again for a while, and a tally of what came of it. */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Decision } from "sluice";
import { StoreUnavailable } from "sluice/redis";
import { Latencies } from "./latencies.js";

export interface LoadOptions {
  readonly callers: number;
  readonly seconds: number;
  readonly ask: () => Promise<Decision>;
  /** Called now and then with how things stand. */
  readonly onProgress: (report: LoadReport) => void;
  readonly signal: AbortSignal;
}

export interface LoadReport {
  readonly seconds: number;
  readonly decisions: number;
  readonly allowed: number;
  readonly refused: number;
  readonly decisionsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of this process, for each decision. */
  readonly clientCpuUs: number;
  /** By reason. */
  readonly errors: Readonly<Record<string, number>>;
}

const PROGRESS_MS = 250;
/** A store in memory answers at once; without a pause nothing else would ever have its turn. */
const CALLS_BETWEEN_PAUSES = 256;
const PAUSE_AFTER_ERROR_MS = 5;

export async function runLoad({
  callers,
  seconds,
  ask,
  onProgress,
  signal,
}: LoadOptions): Promise<LoadReport> {
  const latencies = new Latencies();
  const errors: Record<string, number> = {};
  let [allowed, refused] = [0, 0];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const cpu = process.cpuUsage();

  function report(): LoadReport {
    const { user, system } = process.cpuUsage(cpu);
    const passed = (performance.now() - begin) / 1000;
    const decisions = allowed + refused;
    return {
      seconds: passed,
      decisions,
      allowed,
      refused,
      decisionsPerSecond: decisions / passed,
      p50Ms: latencies.quantile(0.5),
      p99Ms: latencies.quantile(0.99),
      clientCpuUs: decisions === 0 ? 0 : (user + system) / decisions,
      errors: { ...errors },
    };
  }

  async function call(): Promise<void> {
    for (let number = 1; performance.now() < end && !signal.aborted; number += 1) {
      const asked = performance.now();
      try {
        const decision = await ask();
        latencies.add(performance.now() - asked);
        if (decision.allowed) allowed += 1;
        else refused += 1;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        errors[error.reason] = (errors[error.reason] ?? 0) + 1;
        await delay(PAUSE_AFTER_ERROR_MS);
      }
      if (number % CALLS_BETWEEN_PAUSES === 0) await nextTurn();
    }
  }

  const timer = setInterval(() => onProgress(report()), PROGRESS_MS);
  try {
    await Promise.all(Array.from({ length: callers }, call));
    return report();
  } finally {
    clearInterval(timer);
  }
}
