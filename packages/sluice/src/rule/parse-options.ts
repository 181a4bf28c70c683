/** What may stand behind a limit: the name of an algorithm, and a burst. */
import { ALGORITHM_NAMES, type AlgorithmName, isAlgorithmName } from "../algorithm/registry.js";
import type { Cursor } from "./cursor.js";
import { nearest } from "./nearest.js";
import { type Placed, parseCount } from "./parse-parts.js";

export interface Options {
  readonly algorithm: Placed<AlgorithmName> | undefined;
  readonly burst: Placed<number> | undefined;
}

/** Takes every word up to the next `and` or `or`, so that an unknown one is refused where it stands. */
export function parseOptions(cursor: Cursor): Options {
  let algorithm: Placed<AlgorithmName> | undefined;
  let burst: Placed<number> | undefined;
  while (cursor.nextIs("word") && !cursor.nextJoins) {
    const word = cursor.next;
    if (word.text === "burst") {
      if (burst !== undefined) throw cursor.error(word, "A limit has one burst.");
      burst = parseBurst(cursor);
    } else if (isAlgorithmName(word.text)) {
      if (algorithm !== undefined) throw cursor.error(word, "A limit has one algorithm.");
      algorithm = { value: word.text, range: cursor.take() };
    } else {
      throw cursor.unexpected(
        `"and", "or", "burst" or an algorithm (${ALGORITHM_NAMES.join(", ")})`,
        nearest(word.text, ["and", "or", "burst", ...ALGORITHM_NAMES]),
      );
    }
  }
  return { algorithm, burst };
}

function parseBurst(cursor: Cursor): Placed<number> {
  const { start } = cursor.take();
  const { value } = parseCount(cursor, 'a count after "burst"');
  return { value, range: { start, end: cursor.end } };
}
