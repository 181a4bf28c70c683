/** One number for each slot, which grows as slots are added. */

/** The old numbers in a longer column. */
export function grown<T extends Float64Array | Int32Array | Uint8Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}
