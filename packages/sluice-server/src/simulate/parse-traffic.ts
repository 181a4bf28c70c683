/** Traffic as it is written: `steady:20/s`, `poisson:20/s,7`, `burst:50/10s`, `ramp:1/s..50/s`. */
import { parseDuration } from "../explain/duration.js";
import { suggestion } from "../explain/nearest-word.js";
import { listed } from "../explain/numbers.js";
import { burst, poisson, type Rate, ramp, steady } from "./generators.js";
import { type Traffic, TrafficError } from "./traffic.js";

export const TRAFFIC_KINDS = ["steady", "poisson", "burst", "ramp"] as const;

const EXAMPLES = {
  steady: "steady:20/s is one request every 50 ms",
  poisson: "poisson:20/s is random with that mean, poisson:20/s,7 the same with another seed",
  burst: "burst:50/10s is 50 at once, every 10 s",
  ramp: "ramp:1/s..50/s rises from one rate to the other",
} as const;

const DEFAULT_SEED = 1;
const LARGEST_SEED = 0xffff_ffff;
const RATE = /^(\d+(?:\.\d+)?)\/([\w.]+)$/;

/** Whether the text begins like one of the generators, and so is no name of a file. */
export function isGenerated(text: string): boolean {
  return /^[a-z]{2,}:/.test(text);
}

export function parseTraffic(text: string): Traffic {
  const [, kind = text, rest = ""] = /^([^:]*):(.*)$/s.exec(text.trim()) ?? [];
  switch (kind) {
    case "steady":
      return steady(text, rateIn(rest, kind));
    case "poisson": {
      const [, rate = "", seed] = /^([^,]*)(?:,(.*))?$/s.exec(rest) ?? [];
      return poisson(text, rateIn(rate, kind), seed === undefined ? DEFAULT_SEED : seedIn(seed));
    }
    case "burst":
      return burst(text, wholeRateIn(rest));
    case "ramp": {
      const [from = "", to = "", ...more] = rest.split("..");
      if (more.length > 0) throw unreadable(kind);
      return ramp(text, rateIn(from, kind), rateIn(to, kind));
    }
    default:
      throw new TrafficError(
        `Traffic is ${listed(TRAFFIC_KINDS, "or")}, with a rate: ${EXAMPLES.poisson}.${suggestion(kind, TRAFFIC_KINDS)}`,
      );
  }
}

function rateIn(text: string, kind: keyof typeof EXAMPLES): Rate {
  const [, count, span = ""] = RATE.exec(text.trim()) ?? [];
  const microseconds = parseDuration(span);
  if (count === undefined || microseconds === undefined) throw unreadable(kind);
  return { count: Number(count), span: microseconds };
}

function wholeRateIn(text: string): Rate {
  const rate = rateIn(text, "burst");
  if (!Number.isSafeInteger(rate.count)) throw new TrafficError("A burst is a whole number of requests.");
  return rate;
}

function seedIn(text: string): number {
  const seed = Number(text.trim().replace(/^seed=/, "") || Number.NaN);
  if (Number.isSafeInteger(seed) && seed >= 0 && seed <= LARGEST_SEED) return seed;
  throw new TrafficError(`A seed is a whole number from 0 to ${LARGEST_SEED}, as in poisson:20/s,7.`);
}

function unreadable(kind: keyof typeof EXAMPLES): TrafficError {
  return new TrafficError(`This ${kind} traffic cannot be read: ${EXAMPLES[kind]}.`);
}
