/** Where the values of a rule's selectors come from, in which order. */
import { SluiceError } from "../errors.js";
import { type Facts, identityText } from "./facts.js";

/** A value, or a function of the wrapped or decorated call's arguments. */
export type SelectorOption = Facts[string] | ((this: never, ...args: never[]) => unknown);

/** What a limiter was defined with. */
export interface SelectorOptions {
  readonly selectors?: { readonly [name: string]: SelectorOption } | undefined;
  /** An object with the selectors as members or methods. */
  readonly selector?: object | undefined;
}

/** What one call brings. */
export interface Call {
  readonly facts?: Facts | undefined;
  /** The decorated instance, or the `this` of a wrapped function. */
  readonly instance?: unknown;
  readonly args?: readonly unknown[] | undefined;
}

/** A limit that silently does not apply is a hole, so a missing selector is an error. */
export class MissingSelector extends SluiceError {
  readonly code = "SLUICE_MISSING_SELECTOR";

  constructor(
    readonly selector: string,
    given: readonly string[],
  ) {
    const facts = given.length === 0 ? "none" : given.slice(0, 20).join(", ");
    super(
      `The rule counts by "${selector}", and no value was found for it (facts given: ${facts}). ` +
        `Pass it as a fact, or as selectors: { ${selector}: … } when defining the limit; ` +
        "null says on purpose that the limit does not apply.",
    );
  }
}

/** A selector that threw when it was read or called; what it threw is the cause. */
export class SelectorFailed extends SluiceError {
  readonly code = "SLUICE_SELECTOR_FAILED";

  constructor(
    readonly selector: string,
    cause: unknown,
  ) {
    super(`The function for the selector "${selector}" threw; the error's cause is what it threw.`, {
      cause,
    });
  }
}

/** The text to count by, or null where the limit does not apply. Calls a selector function at most once. */
export function selectorValue(name: string, call: Call, options: SelectorOptions): string | null {
  const fact = call.facts?.[name];
  if (typeof fact === "string" && fact !== "") return fact;
  for (const source of SOURCES) {
    const value = source(name, call, options);
    if (value === "") break;
    const text = identityText(name, value);
    if (text !== undefined) return text;
  }
  throw new MissingSelector(name, Object.keys(call.facts ?? {}));
}

/** All that a call knows, for a function that chooses the rule: looked up when asked for, and only once. */
export function factsOf(call: Call, options: SelectorOptions): Facts {
  const known: Record<string, unknown> = { ...call.facts };
  const lookedUp = new Set<string>();
  return new Proxy(known, {
    get(_, name) {
      if (typeof name === "string" && known[name] === undefined && !lookedUp.has(name)) {
        lookedUp.add(name);
        for (const source of SOURCES) {
          known[name] = source(name, call, options);
          if (known[name] !== undefined) break;
        }
      }
      return Reflect.get(known, name);
    },
  }) as Facts;
}

/** Where a selector's value is looked for, in this order. */
const SOURCES: readonly ((name: string, call: Call, options: SelectorOptions) => unknown)[] = [
  (name, { facts }) => own(facts, name),
  (name, { instance, args }, { selectors }) => invoke(name, () => own(selectors, name), instance, args),
  (name, _, { selector }) => memberOf(selector, name),
  (name, { instance }) => memberOf(instance, name),
];

function own(object: object | undefined, name: string): unknown {
  return object !== undefined && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined;
}

/** A member or method of an object or class, what it inherits included, but not what every object has. */
function memberOf(object: unknown, name: string): unknown {
  if ((typeof object !== "object" && typeof object !== "function") || object === null) return undefined;
  const everybody = typeof object === "function" ? Function.prototype : Object.prototype;
  if (!(name in object) || name in everybody) return undefined;
  return invoke(name, () => (object as Record<string, unknown>)[name], object, []);
}

/** A selector as it stands, or what its function answers. */
function invoke(
  name: string,
  read: () => unknown,
  instance: unknown,
  args: readonly unknown[] = [],
): unknown {
  try {
    const member = read();
    return typeof member === "function" ? member.apply(instance, args) : member;
  } catch (cause) {
    throw new SelectorFailed(name, cause);
  }
}
