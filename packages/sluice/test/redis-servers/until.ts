/** Waits for a condition by asking again and again. */
import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 20;

/** A condition that throws does not hold yet; what it threw last is the cause of the error at the limit. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = 45_000,
): Promise<void> {
  const limit = performance.now() + limitMs;
  let cause: unknown;
  do {
    try {
      if (await holds()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(PAUSE_MS);
  } while (performance.now() < limit);
  throw new Error(`Waited ${limitMs} ms in vain until ${what}.`, { cause });
}
