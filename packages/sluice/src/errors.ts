/** The base of every error Sluice throws, and the causes that belong to no single folder. */

/**
 * Thrown when the caller or the store is broken, never for a plain refusal.
 * Each `code` has a page of its own, named by `help`, in the repository and in the installed package.
 */
export abstract class SluiceError extends Error {
  abstract readonly code: `SLUICE_${string}`;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  get help(): string {
    return `docs/reference/errors/${this.code}.md`;
  }
}

/** An option, argument or definition that Sluice cannot work with. */
export class BadOption extends SluiceError {
  readonly code = "SLUICE_BAD_OPTION";
}

/** A cost that is not a whole number of at least 1. */
export class BadCost extends SluiceError {
  readonly code = "SLUICE_BAD_COST";
}

/** A clock that answers something other than whole microseconds since the epoch. */
export class BadClock extends SluiceError {
  readonly code = "SLUICE_BAD_CLOCK";
}

/** Something was asked of a Sluice or a store after it was closed. */
export class Closed extends SluiceError {
  readonly code = "SLUICE_CLOSED";
}

type TypeName = "string" | "number" | "boolean" | "function" | "object";

/** Refuses options that are no object, that nobody knows, or that are of another type; undefined is left out. */
export function checkOptions(
  whose: string,
  options: unknown,
  known: Readonly<Record<string, TypeName>>,
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new BadOption(`The options of ${whose} are an object, and these are ${shown(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const type = Object.hasOwn(known, name) ? known[name] : undefined;
    if (type === undefined) {
      const names = Object.keys(known).join(", ");
      throw new BadOption(`The options of ${whose} are ${names}, and ${shown(name)} is none of them.`);
    }
    if (value !== undefined && (typeof value !== type || value === null || Array.isArray(value))) {
      throw new BadOption(`The option ${name} of ${whose} is of type ${type}, and this is ${shown(value)}.`);
    }
  }
}

const LONGEST_SHOWN = 60;

/** A value as it may appear in a message: short, quoted, and without control characters. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    const text = value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;
    return JSON.stringify(text);
  }
  if (typeof value === "number" || typeof value === "boolean" || value == null) return String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  if (Array.isArray(value)) return "an array";
  return value instanceof Promise ? "a Promise" : "an object";
}
