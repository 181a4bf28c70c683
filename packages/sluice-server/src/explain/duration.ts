/** Spans of time as people write and read them; whole microseconds inside. */

const UNITS = [
  { unit: "w", name: "week", size: 604_800_000_000 },
  { unit: "d", name: "day", size: 86_400_000_000 },
  { unit: "h", name: "hour", size: 3_600_000_000 },
  { unit: "m", name: "minute", size: 60_000_000 },
  { unit: "s", name: "second", size: 1_000_000 },
  { unit: "ms", name: "millisecond", size: 1_000 },
] as const;

const WRITTEN = /^(\d+(?:\.\d+)?)?(ms|s|m|h|d|w)$/;

/** `5m`, `0.5s`, `h`: as in a rule. Undefined for anything else, and for what is no longer than zero. */
export function parseDuration(text: string): number | undefined {
  const [, number = "1", unit] = WRITTEN.exec(text) ?? [];
  const size = UNITS.find((candidate) => candidate.unit === unit)?.size;
  if (size === undefined) return undefined;
  const microseconds = Math.round(Number(number) * size);
  return microseconds > 0 && Number.isSafeInteger(microseconds) ? microseconds : undefined;
}

/** As in a rule, in the largest unit that divides it: `45m`, `1.5ms`. */
export function durationText(microseconds: number): string {
  const { unit, count } = inUnits(microseconds);
  return `${count}${unit}`;
}

/** In the largest unit that divides it: `5 minutes`, `1 hour`, `1.5 milliseconds`. */
export function durationInWords(microseconds: number): string {
  const { name, count } = inUnits(microseconds);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** As it stands after "any" or "each": `minute`, `5 minutes`. */
export function spanInWords(microseconds: number): string {
  return durationInWords(microseconds).replace(/^1 /, "");
}

function inUnits(microseconds: number) {
  const { unit, name, size } =
    UNITS.find(({ size }) => microseconds % size === 0) ?? UNITS[UNITS.length - 1]!;
  return { unit, name, count: microseconds / size };
}

/** To three digits, in one unit: `86.4 ms`, `2.5 s`; what is shorter than a millisecond in microseconds. */
export function roughDuration(microseconds: number): string {
  const { unit, size } = UNITS.find(({ size }) => microseconds >= size) ?? { unit: "µs", size: 1 };
  const value = microseconds / size;
  return `${value >= 1000 ? Math.round(value) : Number(value.toPrecision(3))} ${unit}`;
}
