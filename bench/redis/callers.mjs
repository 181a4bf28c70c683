/** Callers that ask at the same time, each again as soon as it is answered, or after a pause. */
import { setTimeout as sleep } from "node:timers/promises";
import { drawOrder, keyOf } from "../workloads.mjs";
import { createSamples } from "./samples.mjs";

const DRAWN = 2 ** 18;
/** With few callers each decision is timed; with many one in sixteen, so that reading the clock stays cheap. */
const FEW_CALLERS = 50;
const SAMPLE_EVERY = 16;

export function startCallers(
  { consume, admitted, isRefusal, isFallback },
  { callers, keys, keyPerCaller = false, pauseMs = 0 },
) {
  const order = drawOrder(DRAWN, keys);
  const every = callers <= FEW_CALLERS ? 1 : SAMPLE_EVERY;
  const seen = { decisions: 0, refused: 0, fallback: 0 };
  const latencies = createSamples();
  let asked = 0;
  let running = true;

  async function call(_, caller) {
    while (running) {
      const turn = asked;
      asked += 1;
      const sampled = turn % every === 0;
      const key = keyOf(keyPerCaller ? caller % keys : order[turn % DRAWN]);
      const start = sampled ? performance.now() : 0;
      let passed = false;
      let decided = true;
      try {
        const answer = await consume(key);
        passed = admitted(answer);
        decided = !isFallback(answer);
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
      if (sampled) latencies.add(performance.now() - start);
      if (decided) seen.decisions += 1;
      else seen.fallback += 1;
      if (decided && !passed) seen.refused += 1;
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  const finished = Promise.all(Array.from({ length: callers }, call));
  return {
    seen,
    latencies,
    async stop() {
      running = false;
      await finished;
    },
  };
}
