/** Rendezvous hashing: every key has a place, and a place that comes or goes moves only its own share of them. */

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** The name with the highest score for this key. */
export function chosen<Name extends string>(names: readonly Name[], key: string): Name {
  let best = names[0]!;
  let highest = -1;
  for (const name of names) {
    const score = scoreOf(name, key);
    if (score > highest) {
      best = name;
      highest = score;
    }
  }
  return best;
}

/** FNV-1a over both, then stirred, since FNV alone leaves similar keys with similar scores. */
function scoreOf(name: string, key: string): number {
  let hash = fnv(fnv(OFFSET, key), name);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function fnv(start: number, text: string): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  return hash;
}
