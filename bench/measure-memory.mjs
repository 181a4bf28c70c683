/** Child process, with --expose-gc: bytes per key of one contender at several numbers of keys; prints JSON. */
import { setImmediate as turn } from "node:timers/promises";
import { askInOrder, eachOnce, mustHold } from "./ask.mjs";
import { CONTENDERS } from "./contenders.mjs";
import { MEMORY_WORKLOAD } from "./workloads.mjs";

const WARM_UP_KEYS = 5_000;

const { contender: name, sizes } = JSON.parse(process.argv[2]);
const { make } = CONTENDERS.find((candidate) => candidate.name === name);

/** Compiled code is not state: it is made before the first reading, by a contender that is then left alone. */
const warmUp = await make(MEMORY_WORKLOAD.quota);
await askInOrder(warmUp, eachOnce(WARM_UP_KEYS), 0, WARM_UP_KEYS);

const contender = await make(MEMORY_WORKLOAD.quota);
const order = eachOnce(sizes.at(-1));
const before = await bytesInUse();
const bytesPerKey = {};
let filled = 0;
for (const size of sizes) {
  await askInOrder(contender, order, filled, size);
  filled = size;
  bytesPerKey[size] = ((await bytesInUse()) - before) / size;
  mustHold(contender, size);
}
mustHold(warmUp, WARM_UP_KEYS);

console.log(JSON.stringify({ bytesPerKey }));
process.exit();

/**
 * `external` already contains `arrayBuffers` (so say Node's documentation and a trial with a large typed
 * array), so the heap and `external` together are everything, counted once. Buffers are freed behind a
 * collection's back, hence the turns and the repeats.
 */
async function bytesInUse() {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
