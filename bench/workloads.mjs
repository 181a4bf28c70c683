/** What every contender is asked to do: the quota, how many keys, how many calls. */

/**
 * In each of them every request passes. A unit of a draining bucket lives for `seconds / limit`, so quotas
 * are chosen with that in mind: a key must be alive whenever it is asked again, or must age for everybody.
 */
export const SPEED_WORKLOADS = [
  {
    name: "day",
    title: "100,000 per day, 10,000 keys: all state lives through the run",
    quota: { limit: 100_000, seconds: 86_400 },
    keys: 10_000,
    takesPart: ({ limits }) => limits <= 1,
    staysAlive: true,
  },
  {
    name: "second",
    title: "1,000 per second, 10,000 keys: state ages and is renewed during the run",
    quota: { limit: 1_000, seconds: 1 },
    keys: 10_000,
    takesPart: ({ limits }) => limits <= 1,
    staysAlive: false,
  },
  {
    name: "three-limits",
    title: "one limit and three limits on the same key, 100,000 per day, 1,000 keys",
    quota: { limit: 100_000, seconds: 86_400 },
    keys: 1_000,
    takesPart: ({ name }) =>
      ["gcra", "rate-limiter-flexible"].some((one) => name === one || name === `three ${one}`),
    staysAlive: true,
  },
];

/** One unit of this quota lives for a quarter of an hour in a draining bucket: longer than any fill takes. */
export const MEMORY_WORKLOAD = {
  name: "memory",
  takesPart: ({ limits }) => limits > 0,
  quota: { limit: 100, seconds: 86_400 },
};

/** Made anew at each call, as a server cuts it from a request; no contender is handed the same string twice. */
export function keyOf(index) {
  return `user-${index}`;
}

/** The same pseudo-random order of keys for everybody, drawn before anything is timed (mulberry32). */
export function drawOrder(calls, keys) {
  const order = new Uint32Array(calls);
  let seed = 0x5eed;
  for (let call = 0; call < calls; call += 1) {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    order[call] = ((mixed ^ (mixed >>> 14)) >>> 0) % keys;
  }
  return order;
}
