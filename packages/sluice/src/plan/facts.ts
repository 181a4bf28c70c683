/** What is known of one request, and how a value counts as an identity. */
import { SluiceError, shown } from "../errors.js";

/** `null` says on purpose that limits by this selector do not apply. */
export type Fact = string | number | bigint | boolean | null | undefined;

export type Facts = { readonly [name: string]: Fact };

/** A selector's value that cannot name anybody. */
export class BadFact extends SluiceError {
  readonly code = "SLUICE_BAD_FACT";
}

/**
 * The text that a value counts as: 42 and "42" are the same user, or sending a number as text would open
 * a second account. Undefined where there is no value.
 */
export function identityText(name: string, value: unknown): string | null | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (value === undefined || value === null) return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  const hint = value instanceof Promise ? " Await it first, and pass the result as a fact." : "";
  throw new BadFact(
    `The selector "${name}" must be text, a finite number, a bigint, a boolean, or null for "does not apply", ` +
      `and it is ${shown(value)}.${hint}`,
  );
}
