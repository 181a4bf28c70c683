/** What a limit may be called. */
import type { Finding } from "./finding.js";
import type { PlacedValue } from "./placed-value.js";
import { lengthOf } from "./shown.js";

/** Begins with a letter or a digit, so that a name is never a path such as `..` in a URL. */
export const LIMIT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function badLimitNames(root: PlacedValue): readonly Finding[] {
  const limits = root.parts.get("limits");
  if (limits === undefined || Array.isArray(limits.value)) return [];
  return [...limits.parts]
    .filter(([name]) => !LIMIT_NAME.test(name))
    .map(([name, { name: range }]) => ({
      message:
        'A limit\'s name is 1 to 64 letters, digits, "-", "_" and ".", and begins with a letter or a digit; ' +
        `this is ${name === "" ? "empty" : lengthOf(name)}.`,
      range,
    }));
}
