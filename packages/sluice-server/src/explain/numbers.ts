/** Numbers as people read them. */

export function grouped(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Two digits are more than an estimate of memory deserves. */
export function roughBytes(bytes: number): string {
  for (const [unit, size] of [
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ] as const) {
    if (bytes >= size) return `${Number((bytes / size).toPrecision(2))} ${unit}`;
  }
  return `${Math.round(bytes / 10) * 10} bytes`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], joint = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${joint} ${words[words.length - 1]}`;
}
