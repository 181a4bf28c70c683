/** Small functions that read facts from a request, for a gate's `facts`. */
import { SluiceError } from "../../errors.js";
import type { Fact } from "../../plan/facts.js";
import type { Reader } from "../request.js";

export type FactReader<Native> = Reader<Native, Fact | PromiseLike<Fact>>;

/**
 * A request without what it is counted by. Answered with 400, because counting all such requests together would let
 * one client use up what belongs to others, and not counting them would let everybody in.
 */
export class MissingFact extends SluiceError {
  readonly code = "SLUICE_MISSING_FACT";
}

export interface ReaderOptions {
  /** What counts where there is nothing: null for "the limit does not apply", or one name for all such requests. */
  readonly otherwise?: string | null | undefined;
}

/**
 * A request header. Clients send what they like: count by a key only after it has been checked, or beside a limit by
 * address, or a client with a new key for each request has no limit at all.
 */
export function header(name: string, options: ReaderOptions = {}): Reader<unknown, string | null> {
  const lowerCase = name.toLowerCase();
  return (_, request) => found(request.header(lowerCase), options, `header "${lowerCase}"`);
}

/** A cookie, decoded as frameworks do, so that one session has one spelling. The same caution holds as for headers. */
export function cookie(name: string, options: ReaderOptions = {}): Reader<unknown, string | null> {
  return (_, request) => found(cookieIn(request.header("cookie") ?? "", name), options, `cookie "${name}"`);
}

/** The pattern of the route, not the path, of which a client can make up any number. */
export function route(options: ReaderOptions = {}): Reader<unknown, string | null> {
  return (_, request) => found(request.route, options, "route");
}

/**
 * The first that finds something; null, "does not apply", is something. The value is written behind the number of its
 * reader, as in "0:abc": a key that a client makes up never counts as the address of another.
 */
export function firstOf<Native>(...readers: readonly FactReader<Native>[]): Reader<Native, Promise<Fact>> {
  return async (native, request) => {
    for (const [place, read] of readers.entries()) {
      const value = await orNothing(() => read(native, request));
      if (value === null) return null;
      if (value !== undefined && value !== "") return `${place}:${value}`;
    }
    throw new MissingFact("The request has nothing to be counted by.");
  };
}

async function orNothing(read: () => Fact | PromiseLike<Fact>): Promise<Fact> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MissingFact) return undefined;
    throw error;
  }
}

function found(value: string | undefined, { otherwise }: ReaderOptions, what: string): string | null {
  if (value !== undefined && value !== "") return value;
  if (otherwise !== undefined && otherwise !== "") return otherwise;
  throw new MissingFact(`The request has no ${what}.`);
}

/** The first of that name, as frameworks take it. */
function cookieIn(cookies: string, name: string): string | undefined {
  let start = 0;
  while (start < cookies.length) {
    const semicolon = cookies.indexOf(";", start);
    const end = semicolon < 0 ? cookies.length : semicolon;
    const pair = cookies.slice(start, end).trim();
    if (pair.startsWith(name) && pair.slice(name.length).trimStart().startsWith("=")) {
      return decoded(pair.slice(pair.indexOf("=", name.length) + 1).trim());
    }
    start = end + 1;
  }
  return undefined;
}

function decoded(text: string): string {
  const bare = text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  if (!bare.includes("%")) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
