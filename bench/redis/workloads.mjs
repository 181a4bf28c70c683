/** What the contenders are asked to do on Redis: how many callers, keys and limits. */
import { whole } from "../columns.mjs";

export const CALLERS = [1, 50, 500, 1_000];
export const MANY_KEYS = 10_000;

export const ALGORITHMS = ["gcra", "fixed-window", "sliding-counter", "sliding-window", "sliding-log", "ar1"];

/** In the order of the measurements: Sluice stands beside both of those that it is compared with. */
const PEERS = [
  "rate-limiter-flexible",
  "sluice",
  "rate-limiter-flexible auto-pipelining",
  "rate-limit-redis",
  "redis-gcra",
  "INCR",
];

/** Far above what any contender reaches, on one key or on each of many: what is compared is admission. */
const quotaFor = (keys) => ({ by: "user", limit: keys === 1 ? 10_000_000 : 1_000, seconds: 3_600 });

/** Also the name of the load on which all peers are compared. */
export function crowdName(callers, keys) {
  return `${whole(callers)} ${callers === 1 ? "caller" : "callers"}, ${keys === 1 ? "one key" : `${whole(keys)} keys`}`;
}

const CROWDS = [MANY_KEYS, 1].flatMap((keys) =>
  CALLERS.map((callers) => ({
    name: crowdName(callers, keys),
    callers,
    keys,
    quotas: [quotaFor(keys)],
    contenders: PEERS,
  })),
);

const THREE_LIMITS = {
  name: "three limits",
  callers: 500,
  keys: MANY_KEYS,
  quotas: [
    { by: "user", limit: 1_000, seconds: 3_600 },
    { by: "user", limit: 10_000, seconds: 86_400 },
    { by: "ip", limit: 50_000, seconds: 604_800 },
  ],
  contenders: ["rate-limiter-flexible", "sluice", "rate-limiter-flexible auto-pipelining"],
};

const SIX_ALGORITHMS = {
  name: "six algorithms",
  callers: 500,
  keys: MANY_KEYS,
  quotas: [quotaFor(MANY_KEYS)],
  contenders: ALGORITHMS.map((algorithm) => (algorithm === "gcra" ? "sluice" : `sluice ${algorithm}`)),
};

export const LOG_SIZES = [10, 100_000];

/**
 * Logs of different sizes at the same rate of 100 a second and key. Each caller has a key of its own, so that no
 * call finds another's state already loaded, and pauses for 10 ms, so that it stays somewhat below that rate at
 * any speed: nothing is refused, and both logs are well filled. The large one is filled beforehand, evenly over
 * its span. In both, about one unit dies for each that comes.
 */
const SLIDING_LOGS = LOG_SIZES.map((limit) => ({
  name: logName(limit),
  callers: 100,
  keys: 100,
  quotas: [{ by: "user", limit, seconds: limit / 100 }],
  filled: limit > 1_000 ? 0.95 * limit : 0,
  keyPerCaller: true,
  pauseMs: 10,
  contenders: ["sluice sliding-log"],
}));

export function logName(limit) {
  return `sliding-log, N = ${whole(limit)}`;
}

export const LOADS = [...CROWDS, THREE_LIMITS, SIX_ALGORITHMS, ...SLIDING_LOGS];

export function loadTitle({ name, callers, keys, quotas, pauseMs }) {
  const crowd = crowdName(callers, keys);
  const pace = pauseMs === undefined ? "" : `, each pausing for ${pauseMs} ms`;
  const rates = quotas.map(({ by, limit, seconds }) => `${by}: ${whole(limit)} in ${seconds} s`);
  return `${name === crowd ? name : `${name}, ${crowd}`}${pace} (${rates.join("; ")})`;
}

/** A day's limit, of which no unit comes back while it is asked: exactly `limit` should pass. */
export const ADMISSION = {
  name: "admission",
  processes: 4,
  requests: 2_000,
  /** Long enough that Redis, and no fallback, answers 8,000 requests at once on any machine. */
  deadlineMs: 10_000,
  quotas: [{ by: "user", limit: 1_000, seconds: 86_400 }],
  contenders: PEERS,
};
