/** The contract of a command: how it is asked for, what it is for, and its reply. */
import type { Peer } from "../peer.js";

export interface Command {
  /** In capitals; clients may write it as they like. */
  readonly name: string;
  /** How many arguments it takes, its name among them; so many or more where negative, as Redis tells it. */
  readonly arity: number;
  readonly summary: string;
  /** Answered before authentication too. */
  readonly forStrangers?: boolean;
  /** Answered at once also between MULTI and EXEC. */
  readonly isNeverQueued?: boolean;
  /** The places of the keys among the arguments: the first, the last (from the end where negative), every how many. */
  readonly keys?: readonly [first: number, last: number, step: number];
  /** How much of the store's time it takes, next to a usual decision; 1 when left out. */
  weightOf?(args: readonly string[]): number;
  /** Throws ReplyError where the arguments are wrong, so that a transaction is refused before any of it has run. */
  check?(args: readonly string[]): void;
  /** The encoded reply. Throws ReplyError, and what the library throws. */
  run(args: readonly string[], peer: Peer): string | Promise<string>;
}

/** A reply that says what was wrong with the command; its first word is a code. */
export class ReplyError extends Error {}

export function wrongNumberOfArguments(command: string): ReplyError {
  return new ReplyError(`ERR wrong number of arguments for '${command.toLowerCase()}' command`);
}

const LONGEST_SHOWN = 128;

/** What a client sent, in quotes and cut. */
export function quoted(bytes: string, longest = LONGEST_SHOWN): string {
  return `'${bytes.slice(0, longest)}'`;
}
