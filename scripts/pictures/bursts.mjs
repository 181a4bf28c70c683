/** Requests on a time axis, in milliseconds. */

export function burst(from, count, gap = 600) {
  return Array.from({ length: count }, (_, index) => from + index * gap);
}
