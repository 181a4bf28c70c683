/** The loop that both measurements run: one awaited decision after the other. */
import { setImmediate as turn } from "node:timers/promises";
import { keyOf } from "./workloads.mjs";

/** Promises alone never let the event loop turn; a server's does, and then timers run for those who have some. */
const CALLS_PER_TURN = 1_000;

/** Asks once for each index from `start` to `end` of `order`. Ends the process's measurement on a refusal. */
export async function askInOrder({ consume, admitted }, order, start, end) {
  for (let call = start; call < end; call += 1) {
    if (!admitted(await consume(keyOf(order[call]))))
      throw new Error(`Call ${call} was refused; every call must pass.`);
    if (call % CALLS_PER_TURN === 0) await turn();
  }
}

/** 0, 1, 2, …: each key once. */
export function eachOnce(keys) {
  return Uint32Array.from({ length: keys }, (_, index) => index);
}

/** State that vanished during the run would make a contender look small or fast. */
export function mustHold({ held }, keys) {
  const found = held();
  if (found !== undefined && found !== keys)
    throw new Error(`${found} keys are held where ${keys} were expected.`);
}
