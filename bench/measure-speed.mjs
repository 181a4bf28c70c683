/** Child process: decisions per second of one contender at one workload; prints JSON. */
import { askInOrder, eachOnce, mustHold } from "./ask.mjs";
import { CONTENDERS } from "./contenders.mjs";
import { median } from "./median.mjs";
import { drawOrder, SPEED_WORKLOADS } from "./workloads.mjs";

const { contender: name, workload: workloadName, calls, repetitions } = JSON.parse(process.argv[2]);
const { quota, keys, staysAlive } = SPEED_WORKLOADS.find((workload) => workload.name === workloadName);
const contender = await CONTENDERS.find((candidate) => candidate.name === name).make(quota);
const order = drawOrder(calls, keys);

await askInOrder(contender, eachOnce(keys), 0, keys);
await askInOrder(contender, order, 0, calls);

const perSecond = [];
for (let repetition = 0; repetition < repetitions; repetition += 1) {
  const start = performance.now();
  await askInOrder(contender, order, 0, calls);
  perSecond.push((1000 * calls) / (performance.now() - start));
}
if (staysAlive) mustHold(contender, keys);

console.log(JSON.stringify({ perSecond: median(perSecond) }));
process.exit();
