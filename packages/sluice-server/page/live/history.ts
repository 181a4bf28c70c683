/** The seconds that the page remembers, oldest first, each once. */
import type { Second } from "../../src/live/live-messages.js";

export type History = readonly Second[];

/**
 * What comes takes the place of all from its first instant on: it is what the server knows, also where its clock was
 * set back. Those that are too old go.
 */
export function remembered(history: History, more: readonly Second[], most: number): History {
  const [first] = more;
  if (first === undefined) return history;
  const all = [...history.filter(({ at }) => at < first.at), ...more];
  const newest = all[all.length - 1]!.at;
  return all.filter(({ at }) => at > newest - most);
}
