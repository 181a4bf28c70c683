/** A limiter on a method, as a standard decorator and in TypeScript's older form. */
import { BadOption, shown } from "../errors.js";

type AsyncMethod = (...args: never[]) => Promise<unknown>;

/** Decorates an async method: the call is refused with RateLimitExceeded, or goes through. */
export interface MethodDecorator {
  <Method extends AsyncMethod>(method: Method, context: ClassMethodDecoratorContext): Method;
  <Method extends AsyncMethod>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): TypedPropertyDescriptor<Method>;
}

type Callable = (this: unknown, ...args: unknown[]) => unknown;

/** Wraps a method under the name of its property. */
export type WrapMethod = (method: Callable, name: string) => Callable;

/** Tells the two forms apart by what they are called with. */
export function decorate(wrapMethod: WrapMethod, args: readonly unknown[]): unknown {
  const [first, second, third] = args;
  if (isStandardContext(second)) {
    if (second.kind === "method" && typeof first === "function") {
      return wrapMethod(first as Callable, nameText(second.name));
    }
    throw notAMethod(second.kind);
  }
  const descriptor = third as PropertyDescriptor | undefined;
  const legacy = typeof second === "string" || typeof second === "symbol";
  if (legacy && typeof descriptor?.value === "function") {
    return { ...descriptor, value: wrapMethod(descriptor.value, nameText(second)) };
  }
  throw notAMethod(legacy ? `the property ${shown(nameText(second))}` : shown(first));
}

function isStandardContext(
  value: unknown,
): value is { readonly kind: string; readonly name: string | symbol } {
  return typeof value === "object" && value !== null && "kind" in value && "name" in value;
}

function nameText(name: string | symbol): string {
  return typeof name === "symbol" ? (name.description ?? "") : name;
}

function notAMethod(got: string): BadOption {
  return new BadOption(
    `A limiter decorates methods, and this is ${got}. Use limiter.wrap(function) for functions, ` +
      "and limiter.consume(facts) anywhere.",
  );
}
