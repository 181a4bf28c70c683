/** The word of ours that a mistaken word was probably meant to be. */

/** What people write for each of our words, in lower case. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  "/": ["per"],

  ms: ["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"],
  s: ["sec", "secs", "second", "seconds"],
  m: ["min", "mins", "minute", "minutes"],
  h: ["hr", "hrs", "hour", "hours"],
  d: ["day", "days"],
  w: ["wk", "wks", "week", "weeks"],

  "sliding-log": ["log"],
  "sliding-window": ["window"],
  "sliding-counter": ["counter"],
  "fixed-window": ["fixed"],
  gcra: ["bucket", "token", "token-bucket", "tokenbucket", "leaky", "leaky-bucket", "leakybucket"],

  selector: ["selectors", "by"],
  limit: ["count", "max", "points", "requests", "tokens"],
  per: ["span", "window", "windowms", "duration", "interval", "period"],
  precision: ["resolution"],
  algorithm: ["strategy"],
  burst: ["capacity"],
};

/** Longer than any word of ours, and short enough to compare at once. */
const LONGEST_COMPARED = 40;
const FARTHEST = 3;

/** Near is fewer than three mistakes, and fewer than one to every two letters; none where nothing is. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.slice(0, LONGEST_COMPARED).toLowerCase();
  const synonym = known.find((candidate) => OTHER_WORDS[candidate]?.includes(lower));
  if (synonym !== undefined) return synonym;
  let best: string | undefined;
  let bestDistance = Math.min(FARTHEST, Math.ceil(lower.length / 2));
  for (const candidate of known) {
    const distance = editDistance(lower, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters to change, add, leave out, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current.push(
        Math.min(
          previous[j - 1]! + (same ? 0 : 1),
          previous[j]! + 1,
          current[j - 1]! + 1,
          swapped ? older[j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [older, previous] = [previous, current];
  }
  return previous[b.length]!;
}
