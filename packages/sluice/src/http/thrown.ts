/** What was thrown, as an error that no framework takes for a word to it, as `next()` and `next("route")` are. */
import { shown } from "../errors.js";

export function rethrow(thrown: unknown): never {
  if (typeof thrown === "object" && thrown !== null) throw thrown;
  throw new Error(`A function of the gate threw ${shown(thrown)}.`, { cause: thrown });
}
