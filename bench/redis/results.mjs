/** Finds figures in the results of a full run. */
import { crowdName, MANY_KEYS } from "./workloads.mjs";

export function rowsOf({ loads }, name) {
  return loads.find((load) => load.name === name).rows;
}

/** The row of a contender among so many callers on many keys. */
export function rowAmong(results, callers, name) {
  return rowsOf(results, crowdName(callers, MANY_KEYS)).find(({ contender }) => contender === name);
}
