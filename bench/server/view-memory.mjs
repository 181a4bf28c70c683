/**
 * Child process: the memory of what the page shows, after an hour's worth of traffic on a million identities, by one
 * limit; prints JSON. Time is simulated: 3,600 seconds, in each of which some of the identities ask.
 */
import { createLiveView } from "../../packages/sluice-server/dist/live/live-view.js";

const SECONDS = 3_600;
const IDENTITIES = 1_000_000;
const MB = 2 ** 20;

const store = { size: 0 };
const view = createLiveView({ kind: "memory", describe: "memory", store });
const selectors = ["user"];
const decision = (allowed) => ({ allowed, source: "store", limits: [], refusedBy: [] });

function heap() {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = heap();
const samples = [];
for (let second = 1; second <= SECONDS; second += 1) {
  const until = Math.round((second * IDENTITIES) / SECONDS);
  for (let id = Math.round(((second - 1) * IDENTITIES) / SECONDS); id < until; id += 1) {
    const facts = { user: `a-user-with-a-rather-long-name-${id}` };
    view.onDecision("api", { selectors, facts, decision: decision(id % 2 === 0), milliseconds: 0.1 });
  }
  view.tick(second * 1000);
  if (second % (SECONDS / 6) === 0) samples.push(Number(((heap() - before) / MB).toFixed(2)));
}
console.log(JSON.stringify({ identities: IDENTITIES, seconds: SECONDS, heapMbEveryTenMinutes: samples }));
