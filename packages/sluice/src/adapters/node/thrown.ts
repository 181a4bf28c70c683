/** What was thrown, as an error that no framework takes for a word to it, as `next()` and `next("route")` are. */
import { shown } from "../../errors.js";

export function asError(thrown: unknown): object {
  if (typeof thrown === "object" && thrown !== null) return thrown;
  return new Error(`A function of the gate threw ${shown(thrown)}.`, { cause: thrown });
}
