/** What a limit may be called. */
import type { Finding } from "./finding.js";
import type { PlacedValue } from "./placed-value.js";
import { shown } from "./shown.js";

/** Begins with a letter or a digit, so that a name is never a path such as `..` in a URL. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function badLimitNames(root: PlacedValue): readonly Finding[] {
  const limits = root.parts.get("limits");
  if (limits === undefined || Array.isArray(limits.value)) return [];
  return [...limits.parts]
    .filter(([name]) => !NAME.test(name))
    .map(([name, { name: range }]) => ({
      message:
        'A limit\'s name is 1 to 64 letters, digits, "-", "_" and ".", and begins with a letter or a digit; ' +
        `this is ${shown(name)}.`,
      range,
    }));
}
