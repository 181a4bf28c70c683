/** The facts of a request: what the gate's readers find for the selectors that the rule counts by. */
import { BadOption, shown } from "../../errors.js";
import type { Fact, Facts } from "../../plan/facts.js";
import type { HttpRequest, Reader } from "../request.js";
import type { FactReader } from "./readers.js";

/** A reader for each selector, or one for all. */
export type FactsOption<Native> =
  | { readonly [selector: string]: FactReader<Native> }
  | Reader<Native, Facts | PromiseLike<Facts>>;

export interface FactsSettings<Native> {
  readonly facts: FactsOption<Native> | undefined;
  /** What counts as `ip` where the facts do not say. */
  readonly ip: Reader<unknown, string>;
  /** The selectors of the rule; undefined where only a request can tell. */
  readonly needed: ReadonlySet<string> | undefined;
}

type Found = Record<string, Fact>;

/** What nobody counts by is not read: a request is not refused for lack of an address that no limit asks for. */
export function factsReader<Native>(
  settings: FactsSettings<Native>,
): Reader<Native, Facts | PromiseLike<Facts>> {
  const { facts = {}, ip, needed } = settings;
  const isNeeded = (name: string) => needed === undefined || needed.has(name);
  if (typeof facts === "function") {
    const completed = (given: Facts, request: HttpRequest) =>
      !isNeeded("ip") || !isObject(given) || Object.hasOwn(given, "ip")
        ? given
        : Object.assign(onDemand(ip, request), given);
    return (native, request) => {
      const given = facts(native, request);
      return isWaitedFor(given) ? given.then((late) => completed(late, request)) : completed(given, request);
    };
  }
  const readers = readersIn(facts).filter(([name]) => isNeeded(name));
  const withAddress = isNeeded("ip") && !Object.hasOwn(facts, "ip");

  /** One after the other, so that nothing is left waiting when one of them throws. */
  function readFrom(
    first: number,
    found: Found,
    native: Native,
    request: HttpRequest,
  ): Found | PromiseLike<Found> {
    for (let index = first; index < readers.length; index += 1) {
      const [name, read] = readers[index]!;
      const value = read(native, request);
      if (typeof value === "object" && value !== null) {
        return value.then((late) => {
          found[name] = late;
          return readFrom(index + 1, found, native, request);
        });
      }
      found[name] = value;
    }
    return found;
  }

  return (native, request) => {
    if (!withAddress) return readFrom(0, {}, native, request);
    const found = needed === undefined ? onDemand(ip, request) : { ip: ip(undefined, request) };
    return readFrom(0, found, native, request);
  };
}

/** Read when a limit asks for it, and once: when the answer is settled, the socket may be gone. */
function onDemand(ip: Reader<unknown, string>, request: HttpRequest): Found {
  let address: string | undefined;
  return {
    get ip() {
      address ??= ip(undefined, request);
      return address;
    },
  };
}

function readersIn<Native>(facts: {
  readonly [selector: string]: FactReader<Native>;
}): readonly (readonly [string, FactReader<Native>])[] {
  if (typeof facts !== "object" || facts === null || Array.isArray(facts)) throw badFacts(facts);
  return Object.entries(facts).map(([name, reader]) => {
    if (typeof reader !== "function") throw badFacts(reader);
    return [name, reader];
  });
}

function badFacts(given: unknown): BadOption {
  return new BadOption(
    `facts are functions of the request, as in { user: (request) => request.user.id }, and this is ${shown(given)}.`,
  );
}

/** What is none is left to the limiter to refuse. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isWaitedFor<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return isObject(value) && "then" in value && typeof value.then === "function";
}
