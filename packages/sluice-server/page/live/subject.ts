/** What is counted: a limit of the configuration, or a command that brings its limit along. */
import type { Hello, LimitFacts, Second, Tally } from "../../src/live/live-messages.js";
import { fragmentOf } from "../route.js";
import type { History } from "./history.js";

export interface Subject {
  readonly kind: "limit" | "command";
  readonly name: string;
  /** Undefined for a command, and for a limit that the server has not told of. */
  readonly facts: LimitFacts | undefined;
}

export const RATELIMIT: Subject = { kind: "command", name: "RATELIMIT", facts: undefined };

const QUIET: Tally = {
  allowed: 0,
  refused: 0,
  shadowRefused: 0,
  fallback: 0,
  cache: 0,
  p50Ms: 0,
  p99Ms: 0,
};

/** The limits of the configuration, those that came into it since, and RATELIMIT. */
export function subjectsOf({ limits }: Hello, history: History): readonly Subject[] {
  const told = limits.map((facts): Subject => ({ kind: "limit", name: facts.name, facts }));
  const known = new Set(limits.map(({ name }) => name));
  const seen = new Set(history.flatMap(({ limits }) => Object.keys(limits)));
  const others = [...seen].filter((name) => !known.has(name));
  return [...told, ...others.map((name): Subject => ({ kind: "limit", name, facts: undefined })), RATELIMIT];
}

export function keyOf({ kind, name }: Subject): string {
  return `${kind} ${name}`;
}

export function linkTo({ kind, name }: Subject): string {
  return fragmentOf("live", { [kind]: name });
}

/** What was asked of it in that second; nothing is zeros. */
export function tallyOf({ kind, name }: Subject, { limits, commands }: Second): Tally {
  const tallies = kind === "limit" ? limits : commands;
  return Object.hasOwn(tallies, name) ? tallies[name]! : QUIET;
}
