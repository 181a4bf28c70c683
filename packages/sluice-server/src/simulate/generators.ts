/** Traffic made by formula: steady, random, in bursts, and rising or falling. */
import { randomFrom } from "./random.js";
import { type Arrival, ONLY_KEY, type Traffic } from "./traffic.js";

/** So many requests in so many microseconds; a fraction of a request is fine. */
export interface Rate {
  readonly count: number;
  readonly span: number;
}

/** A generator says when the request with each number comes, and when there are no more. */
function generated(
  text: string,
  expected: (lengthUs: number) => number,
  instants: (lengthUs: number) => Iterable<number>,
): Traffic {
  return {
    text,
    startUs: 0,
    lengthUs: undefined,
    expected,
    *arrivals(lengthUs): Generator<Arrival> {
      for (const at of instants(lengthUs)) {
        if (at >= lengthUs) return;
        yield { at, cost: 1, key: ONLY_KEY };
      }
    },
  };
}

/** At equal distances. */
export function steady(text: string, { count, span }: Rate): Traffic {
  return generated(
    text,
    (length) => (length * count) / span,
    function* () {
      for (let number = 0; count > 0; number += 1) yield Math.floor((number * span) / count);
    },
  );
}

/** Each request independent of all others: a Poisson process. */
export function poisson(text: string, { count, span }: Rate, seed: number): Traffic {
  return generated(
    text,
    (length) => (length * count) / span,
    function* () {
      const random = randomFrom(seed);
      const meanGap = span / count;
      for (let at = 0; count > 0; ) {
        at += -Math.log(1 - random()) * meanGap;
        yield Math.floor(at);
      }
    },
  );
}

/** So many at once, again and again; the first at the beginning. */
export function burst(text: string, { count, span }: Rate): Traffic {
  return generated(
    text,
    (length) => Math.ceil(length / span) * count,
    function* () {
      for (let number = 0; count > 0; number += 1) {
        for (let request = 0; request < count; request += 1) yield number * span;
      }
    },
  );
}

/** A rate that changes evenly from the beginning to the end. */
export function ramp(text: string, from: Rate, to: Rate): Traffic {
  const [first, last] = [from.count / from.span, to.count / to.span];
  return generated(
    text,
    (length) => (length * (first + last)) / 2,
    function* (length) {
      const slope = (last - first) / length;
      /** Request n comes when first · t + slope · t² / 2 = n. */
      for (let number = 0; ; number += 1) {
        const root = first * first + 2 * slope * number;
        if (root < 0 || first + last === 0) return;
        yield number === 0 ? 0 : Math.floor((2 * number) / (first + Math.sqrt(root)));
      }
    },
  );
}
