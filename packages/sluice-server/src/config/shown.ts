/** A value as it may appear in a message: short, quoted, and without control characters. */

const LONGEST = 60;

export function shown(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
  }
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a map" : String(value);
}
