/** That something is done in time, by the clock of the process that does it, which a busy machine may hold up. */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** What was held up together with the timer is done in the turns that follow, in next to no time. */
const TURNS = 50;

export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const timeout = new AbortController();
  await Promise.race([done, delay(ms, undefined, { signal: timeout.signal })]);
  for (let turn = 0; turn < TURNS && !isDone; turn += 1) await nextTurn();
  timeout.abort();
  if (!isDone) throw new Error(`This was not done within ${ms} ms.`);
  return done;
}
