/** Measures for how long the main thread of a process had work to do and could not run, which is nobody's answer time. */
import { queuedMs, type Watch, watchStarvationBy } from "../../../sluice/test/redis-failures/starvation.js";

export function watchStarvationOf(pid: number): Watch {
  const thread = `${pid}/task/${pid}`;
  let last = queuedMs(thread);
  return watchStarvationBy(() => {
    const before = last;
    last = queuedMs(thread);
    return last - before;
  });
}
