/** The word that a mistaken word was probably meant to be. */

/** Longer than any word of ours, and short enough to compare at once. */
const LONGEST_COMPARED = 40;
const FARTHEST = 3;

/** Near is fewer than three mistakes, and fewer than one to every two letters; none where nothing is. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const plain = plainly(word);
  let best: string | undefined;
  let bestDistance = Math.min(FARTHEST, Math.ceil(plain.length / 2));
  for (const candidate of known) {
    const distance = editDistance(plain, plainly(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** For the end of a message; empty where nothing is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** So that `count_refused` and `countrefused` are as near to `countRefused` as can be. */
function plainly(word: string): string {
  return word
    .slice(0, LONGEST_COMPARED)
    .toLowerCase()
    .replace(/(?<=.)[-_ ]/g, "");
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
