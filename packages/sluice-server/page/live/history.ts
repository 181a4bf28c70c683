/** The seconds that the page remembers, oldest first, each once. */
import type { Histories, HistoryRow, Past, Second, Tally } from "../../src/live/live-messages.js";
import { keyOf, type Subject } from "./subject.js";

export interface KnownSecond {
  readonly at: number;
  /** Of all limits and commands. */
  readonly decisions: number;
  /** Of the store. */
  readonly failures: number;
  /** By the key of a subject; of the seconds before this page came, only for those that were asked for. */
  readonly tallies: Map<string, Tally>;
}

export type History = readonly KnownSecond[];

/**
 * What comes takes the place of all from its first instant on: it is what the server knows, also where its clock was
 * set back. Those that are too old go.
 */
function remembered(history: History, more: History, most: number): History {
  const [first] = more;
  if (first === undefined) return history;
  const all = [...history.filter(({ at }) => at < first.at), ...more];
  const newest = all[all.length - 1]!.at;
  return all.filter(({ at }) => at > newest - most);
}

export function withSecond(history: History, { at, limits, commands, store }: Second, most: number): History {
  const tallies = new Map<string, Tally>();
  for (const [name, tally] of Object.entries(limits)) tallies.set(keyOf({ kind: "limit", name }), tally);
  for (const [name, tally] of Object.entries(commands)) tallies.set(keyOf({ kind: "command", name }), tally);
  const decisions = [...tallies.values()].reduce((sum, [allowed, refused]) => sum + allowed + refused, 0);
  return remembered(history, [{ at, decisions, failures: store.failures, tallies }], most);
}

/** What is known already of a limit stays; what was missed is to be asked for. */
export function withPast(history: History, { from, seconds }: Past, most: number): History {
  const before = new Map(history.map(({ at, tallies }) => [at, tallies]));
  const more = seconds.map(([after, decisions, failures]) => {
    const at = from + after;
    return { at, decisions, failures, tallies: before.get(at) ?? new Map<string, Tally>() };
  });
  return remembered(history, more, most);
}

/** Puts what the server remembers of these into the seconds that the answer is about. */
export function fillIn(
  history: History,
  { from, to, limits, commands }: Histories,
  subjects: readonly Subject[],
): void {
  const known = history.filter(({ at }) => at >= from && at <= to);
  for (const subject of subjects) {
    const rows = subject.kind === "limit" ? limits : commands;
    const tallies = talliesIn(Object.hasOwn(rows, subject.name) ? rows[subject.name]! : []);
    for (const second of known) {
      const tally = tallies.get(second.at - from);
      if (tally !== undefined) second.tallies.set(keyOf(subject), tally);
    }
  }
}

function talliesIn(rows: readonly HistoryRow[]): ReadonlyMap<number, Tally> {
  return new Map(rows.map(([after, ...tally]) => [after, tally]));
}
