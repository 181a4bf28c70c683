/** Spans of time as people write them: `5m`, `0.1s`, `1h`; in whole microseconds inside. */

export const MICROSECONDS = {
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
  w: 604_800_000_000,
} as const;

export type Unit = keyof typeof MICROSECONDS;

/** A hundred years: far above any use, and small enough that an instant plus a span stays exact. */
export const LONGEST_SPAN = 36_500 * MICROSECONDS.d;

export function isUnit(word: string): word is Unit {
  return Object.hasOwn(MICROSECONDS, word);
}

const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * Exact microseconds of a decimal number of units, or undefined where they are not whole.
 * In big integers, because 0.07 h is 252,000,000 µs and not 252,000,000.00000003.
 */
export function microsecondsOf(decimal: string, unit: Unit): number | undefined {
  if (!DECIMAL.test(decimal)) return undefined;
  const [whole = "0", fraction = ""] = decimal.split(".");
  const scale = 10n ** BigInt(fraction.length);
  const scaled = BigInt(whole + fraction) * BigInt(MICROSECONDS[unit]);
  if (scaled % scale !== 0n) return undefined;
  return Number(scaled / scale);
}

/** The shortest text: the largest unit that divides the span, or a fraction of a millisecond. */
export function durationText(microseconds: number): string {
  for (const unit of ["w", "d", "h", "m", "s", "ms"] as const) {
    if (microseconds % MICROSECONDS[unit] === 0) return `${microseconds / MICROSECONDS[unit]}${unit}`;
  }
  const fraction = String(microseconds % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${Math.floor(microseconds / 1000)}.${fraction}ms`;
}

/** Durations leave Sluice as whole milliseconds, rounded up so that nobody comes back too early. */
export function ceilMs(microseconds: number): number {
  return Math.ceil(microseconds / 1000);
}
