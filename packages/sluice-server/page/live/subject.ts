/** What is counted: a limit of the configuration, or a command that brings its limit along. */
import type { Hello, LimitFacts } from "../../src/live/live-messages.js";
import { fragmentOf } from "../route.js";

export interface Subject {
  readonly kind: "limit" | "command";
  readonly name: string;
  /** Undefined for a command, and for a limit that the server has not told of. */
  readonly facts: LimitFacts | undefined;
}

type Named = Pick<Subject, "kind" | "name">;

export const RATELIMIT: Subject = { kind: "command", name: "RATELIMIT", facts: undefined };

const LIMIT_KEY = "limit ";

/** The limits of the configuration, those of which there is something to show besides, and RATELIMIT. */
export function subjectsOf({ limits }: Hello, keys: Iterable<string>): readonly Subject[] {
  const told = limits.map((facts): Subject => ({ kind: "limit", name: facts.name, facts }));
  const known = new Set(told.map(keyOf));
  const others = [...new Set(keys)].filter((key) => key.startsWith(LIMIT_KEY) && !known.has(key));
  const names = others.map((key) => key.slice(LIMIT_KEY.length));
  return [...told, ...names.map((name): Subject => ({ kind: "limit", name, facts: undefined })), RATELIMIT];
}

export function keyOf({ kind, name }: Named): string {
  return `${kind} ${name}`;
}

export function linkTo({ kind, name }: Subject): string {
  return fragmentOf("live", { [kind]: name });
}
